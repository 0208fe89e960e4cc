"""Reads the parts of WebAssembly modules that functions on numbers need."""

BLOCKS = {0x02: "block", 0x03: "loop", 0x04: "if"}


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def take(self, count):
        self.at += count
        return self.data[self.at - count : self.at]

    def unsigned(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self, bits):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                if byte & 64:
                    value -= 1 << shift
                return value % (1 << bits)

    def list(self, read):
        return [read() for _ in range(self.unsigned())]

    def name(self):
        return self.take(self.unsigned()).decode()


class Module:
    def __init__(self, data):
        assert data[:8] == b"\0asm\1\0\0\0", "no module"
        reader = Reader(data)
        reader.at = 8
        self.types, self.functions, self.bodies, self.names = [], [], [], {}
        self.globals, self.table, self.memory, self.imported = [], {}, {}, 0
        while reader.at < len(data):
            kind = reader.byte()
            self.section(kind, Reader(reader.take(reader.unsigned())))

    def section(self, kind, reader):
        def function_type():
            assert reader.byte() == 0x60
            return reader.list(reader.byte), reader.list(reader.byte)

        if kind == 1:
            self.types = reader.list(function_type)
        elif kind == 2:
            # Imported functions have no code here, so a call of one fails.
            for _ in range(reader.unsigned()):
                reader.name(), reader.name()
                assert reader.byte() == 0, "only functions are imported"
                self.functions.append(reader.unsigned())
                self.imported += 1
        elif kind == 3:
            self.functions += reader.list(reader.unsigned)
        elif kind == 6:
            for _ in range(reader.unsigned()):
                reader.take(2)
                self.globals.append(self.constant(reader))
        elif kind == 9:
            for _ in range(reader.unsigned()):
                assert reader.unsigned() == 0
                start = self.constant(reader)
                for place, function in enumerate(reader.list(reader.unsigned)):
                    self.table[start + place] = function
        elif kind == 10:
            for _ in range(reader.unsigned()):
                self.bodies.append(reader.take(reader.unsigned()))
        elif kind == 11:
            for _ in range(reader.unsigned()):
                assert reader.unsigned() == 0
                start = self.constant(reader)
                for place, byte in enumerate(reader.take(reader.unsigned())):
                    self.memory[start + place] = byte
        elif kind == 0 and reader.name() == "name":
            while reader.at < len(reader.data):
                kind, size = reader.byte(), reader.unsigned()
                part = Reader(reader.take(size))
                if kind == 1:
                    for _ in range(part.unsigned()):
                        number = part.unsigned()
                        self.names[number] = part.name()

    @staticmethod
    def constant(reader):
        opcode = reader.byte()
        assert opcode in (0x41, 0x42)
        value = reader.signed(32 if opcode == 0x41 else 64)
        assert reader.byte() == 0x0B
        return value

    def function(self, name):
        """Returns the number of the only function whose name contains `name`."""
        (number,) = [number for number, other in self.names.items() if name in other]
        return number

    def code(self, number):
        """Returns the sizes of the local variables of a function, and its decoded instructions."""
        if not isinstance(self.bodies[number - self.imported], tuple):
            self.bodies[number - self.imported] = decoded(self.bodies[number - self.imported])
        return self.bodies[number - self.imported]


def decoded(body):
    """Returns the sizes of local variables, and the instructions as pairs (opcode, argument)."""
    reader = Reader(body)
    sizes = []
    for _ in range(reader.unsigned()):
        count, kind = reader.unsigned(), reader.byte()
        sizes += [{0x7F: 32, 0x7E: 64}[kind]] * count
    code, open_blocks = [], []
    while reader.at < len(body):
        opcode, argument = reader.byte(), None
        if opcode in BLOCKS:
            # The number of results of the block, and the positions of its end and its `else`.
            argument = [{0x40: 0, 0x7F: 1, 0x7E: 1}[reader.byte()], None, None]
            open_blocks.append(argument)
        elif opcode == 0x05:
            open_blocks[-1][2] = len(code)
            argument = open_blocks[-1]
        elif opcode == 0x0B and open_blocks:
            open_blocks.pop()[1] = len(code)
        elif opcode in (0x0C, 0x0D, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24):
            argument = reader.unsigned()
        elif opcode == 0x0E:
            argument = reader.list(reader.unsigned) + [reader.unsigned()]
        elif opcode == 0x11:
            argument = reader.unsigned()
            reader.unsigned()
        elif 0x28 <= opcode <= 0x3E:
            reader.unsigned()
            argument = reader.unsigned()
        elif opcode in (0x3F, 0x40):
            reader.byte()
        elif opcode in (0x41, 0x42):
            argument = reader.signed(32 if opcode == 0x41 else 64)
        elif opcode == 0xFC:
            opcode = (0xFC, reader.unsigned())
            reader.take({10: 2, 11: 1}[opcode[1]])
        code.append((opcode, argument))
    return sizes, code

//! Macros for the typed interface of an opcode: `new`, accessors and the names of opcodes.

/// Defines the types that name opcodes. The input contains the trait of the call's opcodes, and the
/// name of each type with the index of its opcode.
#[doc(hidden)]
#[macro_export]
macro_rules! __opcodes {
    ($vis:vis $opcode:ident $(#[$doc:meta] $name:ident $index:literal)*) => {
        $(
            #[$doc]
            $vis enum $name {}
            impl $opcode for $name {
                const INDEX: usize = $index;
            }
        )*
    };
}

/// Defines the documentation page of each opcode, which is the type alias of its instructions. The
/// input contains the generic type, and for each opcode the author's documentation, the name and
/// the type argument. Each opcode also has a text for all tools, a line for builds and editors
/// only, and a page for rustdoc only.
#[doc(hidden)]
#[macro_export]
macro_rules! __pages {
    (
        $vis:vis $instruction:ident
        $($(#[$doc:meta])* $text:literal $line:literal $page:literal $name:ident [$opcode:ty])*
    ) => {
        $(
            $(#[$doc])*
            #[doc = $text]
            #[cfg_attr(not(doc), doc = $line)]
            #[cfg_attr(doc, doc = $page)]
            $vis type $name = $instruction<$opcode>;
        )*
    };
}

/// Defines the setters and getters of fields. The input contains the generic parameters and the type
/// of the instructions. Each field has the names of both methods, its type and its position in the
/// tables.
#[doc(hidden)]
#[macro_export]
macro_rules! __accessors {
    (
        $(#[$doc:meta])? $vis:vis [$($generics:tt)*] [$instruction:ty]
        $($(#[$set_doc:meta])* $set:ident $(#[$get_doc:meta])* $get:ident [$ty:ty] [$place:expr])*
    ) => {
        #[automatically_derived]
        #[allow(
            dead_code,
            clippy::should_implement_trait,
            reason = "a private set may be used only in part; a field may be called `not`"
        )]
        $(#[$doc])?
        impl $($generics)* $instruction {
            $(
                $(#[$set_doc])*
                #[must_use]
                #[inline]
                $vis fn $set(self, value: impl ::core::convert::Into<$ty>) -> Self {
                    self.__with($place, value.into())
                }
                $(#[$get_doc])*
                #[must_use]
                #[inline]
                $vis fn $get(self) -> $ty {
                    $crate::__private::value_of($place, self.__word())
                }
            )*
        }
    };
}

/// Defines the accessors of properties. The input contains the name of the set's enum. Each property has
/// its accessor, its name, its usual index and its type.
#[doc(hidden)]
#[macro_export]
macro_rules! __properties {
    ($vis:vis $set:ident $(#[$doc:meta] $get:ident $name:literal $place:literal [$ty:ty])*) => {
        #[automatically_derived]
        #[allow(dead_code, reason = "a private set may be used only in part")]
        impl $set {
            $(
                #[$doc]
                #[must_use]
                #[inline]
                $vis fn $get(self) -> $ty {
                    let number = self.__parts().0.properties.raw($place, $name);
                    $crate::table::TypedProperty::from_number(number)
                }
            )*
        }
    };
}

/// Defines the accessors of a field whose type is unknown, which is an error elsewhere. The input
/// contains the type of the instructions, the trait of the opcodes that have the field, and both
/// method names.
#[doc(hidden)]
#[macro_export]
macro_rules! __unknown {
    ($vis:vis $instruction:ident $gate:ident $set:ident $get:ident) => {
        impl<__O: $gate> $instruction<__O> {
            /// A placeholder for editors, because the type of the field is not known.
            #[must_use]
            $vis fn $set(self, _value: impl ::core::marker::Sized) -> Self {
                ::core::unreachable!()
            }
            /// A placeholder for editors, because the type of the field is not known.
            #[must_use]
            $vis fn $get<T>(self) -> T {
                ::core::unreachable!()
            }
        }
    };
}

/// Defines `new`, with a parameter for each field without a default. The input contains the type of
/// the instructions, the table of fields, and the name of each parameter with its type and its
/// index in the table. Each type of opcodes follows with the name of the function. A parameter of
/// an unknown type, which is an error elsewhere, accepts any value.
#[doc(hidden)]
#[macro_export]
macro_rules! __new {
    (
        $vis:vis $instruction:ident $fields:ident $doc:literal $params:tt
        $([$($generics:tt)*] $new:ident [$ty:ty])*
    ) => {
        $($crate::__private::new! {
            $vis $new [$($generics)*] [$instruction<$ty>] $fields $doc $params
        })*
    };
    (
        $vis:vis $new:ident [$($generics:tt)*] [$instruction:ty] $fields:ident $doc:literal
        ($($param:ident $([$ty:ty] $index:literal)? $(? $any:ident)?),*)
    ) => {
        #[automatically_derived]
        #[allow(dead_code, reason = "a private set may be used only in part")]
        impl $($generics)* $instruction {
            #[doc = $doc]
            #[must_use]
            #[allow(
                clippy::too_many_arguments,
                clippy::new_without_default,
                reason = "the syntax determines the parameters"
            )]
            $vis fn $new(
                $($param: impl $(::core::convert::Into<$ty>)? $(::core::marker::$any)?),*
            ) -> Self {
                Self(Self::INITIAL, ::core::marker::PhantomData)
                    $($(.__with::<$ty>(&$fields[$index], $param.into()))?)*
            }
        }
    };
}

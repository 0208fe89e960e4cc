//! What instructions of one opcode are made of: `new`, accessors, names of opcodes.

/// Types that name opcodes: from the trait of the call's opcodes, and the name of each type with the
/// number of its opcode.
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

/// The page of each opcode, at the name of the type of its instructions: from the type of all, and for
/// each opcode the author's words, what is said everywhere, in a build and an editor alone, and in rustdoc
/// alone, the name, and what the type is generic over.
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

/// What sets and gets fields: from the type of the instructions, the trait of the opcodes that have
/// the fields, the two names for each, its type and its place in the tables.
#[doc(hidden)]
#[macro_export]
macro_rules! __accessors {
    (
        $vis:vis $instruction:ident $gate:ident
        $($(#[$set_doc:meta])* $set:ident $(#[$get_doc:meta])* $get:ident [$ty:ty] [$place:expr])*
    ) => {
        #[automatically_derived]
        #[allow(
            dead_code,
            clippy::should_implement_trait,
            reason = "a private set need not be used whole; fields may be called `not`"
        )]
        #[cfg_attr(doc, doc = ::core::concat!(
            "For opcodes that are [`", ::core::stringify!($gate), "`]: others have none of these \
             methods, though rustdoc lists them on all pages of opcodes."
        ))]
        impl<__O: $gate> $instruction<__O> {
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
                    $crate::__private::value_of($place, self.0 as u128)
                }
            )*
        }
    };
}

/// The accessors of a field of an unknown type, which is a fault: from the type of the instructions,
/// the trait of the opcodes that have the field, and the two names.
#[doc(hidden)]
#[macro_export]
macro_rules! __unknown {
    ($vis:vis $instruction:ident $gate:ident $set:ident $get:ident) => {
        impl<__O: $gate> $instruction<__O> {
            /// Nothing yet: the type of the field is not known.
            #[must_use]
            $vis fn $set(self, _value: impl ::core::marker::Sized) -> Self {
                ::core::unreachable!()
            }
            /// Nothing yet: the type of the field is not known.
            #[must_use]
            $vis fn $get<T>(self) -> T {
                ::core::unreachable!()
            }
        }
    };
}

/// `new`, with a parameter for each field that has no default: from the type of the instructions,
/// the table of fields, the name of each parameter with its type and its place in the table, and for
/// each type of opcodes the name of the function. A parameter of an unknown type, which is a fault,
/// takes anything.
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
        #[allow(dead_code, reason = "a private set need not be used whole")]
        impl $($generics)* $instruction {
            #[doc = $doc]
            #[must_use]
            #[allow(
                clippy::too_many_arguments,
                clippy::new_without_default,
                reason = "as the syntax has it"
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

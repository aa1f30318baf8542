//! Access flags of classes, fields and methods (JVMS 4.1, 4.5, 4.6); some share a bit.

pub const PUBLIC: u16 = 0x0001;
pub const PRIVATE: u16 = 0x0002;
pub const PROTECTED: u16 = 0x0004;
pub const STATIC: u16 = 0x0008;
pub const FINAL: u16 = 0x0010;
/// Methods.
pub const SYNCHRONIZED: u16 = 0x0020;
/// Fields.
pub const VOLATILE: u16 = 0x0040;
/// Fields.
pub const TRANSIENT: u16 = 0x0080;
/// Methods.
pub const NATIVE: u16 = 0x0100;
/// Classes.
pub const INTERFACE: u16 = 0x0200;
pub const ABSTRACT: u16 = 0x0400;
/// Methods.
pub const STRICT: u16 = 0x0800;
pub const SYNTHETIC: u16 = 0x1000;
/// Classes and fields.
pub const ENUM: u16 = 0x4000;

//! The instruction set (JVMS 6.5, table 7.1): numbers, lengths and effects on the operand stack.

pub const NOP: u8 = 0;
pub const ACONST_NULL: u8 = 1;
pub const ICONST_0: u8 = 3;
pub const LCONST_0: u8 = 9;
pub const BIPUSH: u8 = 16;
pub const SIPUSH: u8 = 17;
pub const LDC: u8 = 18;
pub const LDC_W: u8 = 19;
pub const LDC2_W: u8 = 20;
pub const ILOAD: u8 = 21;
pub const LLOAD: u8 = 22;
pub const FLOAD: u8 = 23;
pub const DLOAD: u8 = 24;
pub const ALOAD: u8 = 25;
pub const ILOAD_0: u8 = 26;
pub const ILOAD_1: u8 = 27;
pub const ALOAD_0: u8 = 42;
pub const ALOAD_3: u8 = 45;
pub const IALOAD: u8 = 46;
pub const SALOAD: u8 = 53;
pub const ISTORE: u8 = 54;
pub const LSTORE: u8 = 55;
pub const FSTORE: u8 = 56;
pub const DSTORE: u8 = 57;
pub const ASTORE: u8 = 58;
pub const ISTORE_0: u8 = 59;
pub const LSTORE_0: u8 = 63;
pub const FSTORE_0: u8 = 67;
pub const DSTORE_0: u8 = 71;
pub const ASTORE_0: u8 = 75;
pub const ASTORE_3: u8 = 78;
pub const IASTORE: u8 = 79;
pub const AASTORE: u8 = 83;
pub const SASTORE: u8 = 86;
pub const POP: u8 = 87;
pub const POP2: u8 = 88;
pub const DUP: u8 = 89;
pub const DUP_X1: u8 = 90;
pub const DUP_X2: u8 = 91;
pub const DUP2: u8 = 92;
pub const DUP2_X1: u8 = 93;
pub const DUP2_X2: u8 = 94;
pub const SWAP: u8 = 95;
pub const ISUB: u8 = 100;
pub const IMUL: u8 = 104;
pub const IINC: u8 = 132;
pub const LCMP: u8 = 148;
pub const IFEQ: u8 = 153;
pub const IFNE: u8 = 154;
pub const IF_ACMPNE: u8 = 166;
pub const GOTO: u8 = 167;
pub const JSR: u8 = 168;
pub const RET: u8 = 169;
pub const TABLESWITCH: u8 = 170;
pub const LOOKUPSWITCH: u8 = 171;
pub const IRETURN: u8 = 172;
pub const LRETURN: u8 = 173;
pub const FRETURN: u8 = 174;
pub const DRETURN: u8 = 175;
pub const ARETURN: u8 = 176;
pub const RETURN: u8 = 177;
pub const GETSTATIC: u8 = 178;
pub const PUTSTATIC: u8 = 179;
pub const GETFIELD: u8 = 180;
pub const PUTFIELD: u8 = 181;
pub const INVOKEVIRTUAL: u8 = 182;
pub const INVOKESPECIAL: u8 = 183;
pub const INVOKESTATIC: u8 = 184;
pub const INVOKEINTERFACE: u8 = 185;
pub const INVOKEDYNAMIC: u8 = 186;
pub const NEW: u8 = 187;
pub const ATHROW: u8 = 191;
pub const CHECKCAST: u8 = 192;
pub const INSTANCEOF: u8 = 193;
pub const MONITORENTER: u8 = 194;
pub const MONITOREXIT: u8 = 195;
pub const WIDE: u8 = 196;
pub const MULTIANEWARRAY: u8 = 197;
pub const IFNULL: u8 = 198;
pub const IFNONNULL: u8 = 199;
pub const GOTO_W: u8 = 200;
pub const JSR_W: u8 = 201;

/// Length of each instruction; 0 for the switches and `wide`, whose length stands in their operands, and
/// for the numbers that no class file may use.
pub static LENGTH: [u8; 256] = lengths();

pub(super) const fn lengths() -> [u8; 256] {
    let mut table = [0; 256];
    let mut op = 0;
    while op <= JSR_W {
        table[op as usize] = match op {
            BIPUSH | LDC | ILOAD..=ALOAD | ISTORE..=ASTORE | RET | 188 => 2,
            SIPUSH | LDC_W | LDC2_W | IINC | IFEQ..=JSR | GETSTATIC..=INVOKESTATIC => 3,
            NEW | 189 | CHECKCAST | 193 | IFNULL | IFNONNULL => 3,
            MULTIANEWARRAY => 4,
            INVOKEINTERFACE | INVOKEDYNAMIC | GOTO_W | JSR_W => 5,
            TABLESWITCH | LOOKUPSWITCH | WIDE => 0,
            _ => 1,
        };
        op += 1;
    }
    table
}

/// What the relocator has to know of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Goes on to the next instruction.
    Next,
    /// Goes on, or jumps by a 16-bit offset.
    If,
    /// Jumps by a 16-bit offset; for `jsr` the next instruction is where `ret` returns to.
    Goto,
    Jsr,
    /// The same by a 32-bit offset.
    GotoW,
    JsrW,
    Switch,
    /// Return, `athrow` or `ret`: control never reaches the next instruction.
    End,
}

impl Flow {
    /// Whether control can reach the instruction that stands after this one without a jump to it. A `jsr`
    /// counts: its subroutine comes back there.
    pub fn falls_through(self) -> bool {
        matches!(self, Flow::Next | Flow::If | Flow::Jsr | Flow::JsrW)
    }
}

/// The flow of `op`; for `wide` give the instruction that it widens.
pub const fn flow(op: u8) -> Flow {
    match op {
        IFEQ..=IF_ACMPNE | IFNULL | IFNONNULL => Flow::If,
        GOTO => Flow::Goto,
        JSR => Flow::Jsr,
        GOTO_W => Flow::GotoW,
        JSR_W => Flow::JsrW,
        TABLESWITCH | LOOKUPSWITCH => Flow::Switch,
        RET | IRETURN..=RETURN | ATHROW => Flow::End,
        _ => Flow::Next,
    }
}

/// The flow of each opcode as a table: the walk over all code reads it once per instruction.
pub static FLOW: [Flow; 256] = flows();

const fn flows() -> [Flow; 256] {
    let mut table = [Flow::Next; 256];
    let mut op = 0;
    while op < 256 {
        table[op] = flow(op as u8);
        op += 1;
    }
    table
}

/// Length of each instruction that goes on to the next one, or also of those that go nowhere, if it is fixed; 0 for all
/// others.
const fn plain_lengths(with_ends: bool) -> [u8; 256] {
    let mut table = lengths();
    let mut op = 0;
    while op < 256 {
        let is_plain = match flow(op as u8) {
            Flow::Next => true,
            Flow::End => with_ends,
            _ => false,
        };
        if !is_plain {
            table[op] = 0;
        }
        op += 1;
    }
    table
}

/// Length of each instruction that holds no offset; 0 where it is not fixed, and for branches and switches.
pub static PLAIN: [u8; 256] = plain_lengths(true);

/// The same without those that never go on to the next instruction.
pub static STRAIGHT: [u8; 256] = plain_lengths(false);

/// Constants, local variables and arithmetic that cannot throw.
pub const fn only_computes(op: u8) -> bool {
    // iadd to lxor are 96 to 131, with idiv, ldiv, irem and lrem among them; i2l to i2s 133 to 147.
    match op {
        ACONST_NULL..=SIPUSH | ILOAD..=ALOAD_3 => true,
        96..=131 => !matches!(op, 108 | 109 | 112 | 113),
        133..=147 => true,
        _ => false,
    }
}

/// The conditional branch that jumps exactly when `op` does not.
pub const fn inverted(op: u8) -> u8 {
    match op {
        // 153..=166 come in pairs that begin with an odd number: ifeq/ifne, iflt/ifge, ...
        IFEQ..=IF_ACMPNE => ((op + 1) ^ 1) - 1,
        IFNULL => IFNONNULL,
        IFNONNULL => IFNULL,
        other => other,
    }
}

/// Slots popped and pushed (long and double take two), or `None` where the constant pool decides
/// (fields, calls, `multianewarray`) and for `wide`.
pub const fn stack_effect(op: u8) -> Option<(u8, u8)> {
    Some(match op {
        // nop, iinc, goto, ret, return, goto_w
        NOP | IINC | GOTO | RET | RETURN | GOTO_W => (0, 0),
        // constants
        ACONST_NULL..=8 | 11..=13 | BIPUSH..=LDC_W => (0, 1),
        9 | 10 | 14 | 15 | LDC2_W => (0, 2),
        // loads
        ILOAD | FLOAD | ALOAD | 26..=29 | 34..=37 | 42..=45 => (0, 1),
        LLOAD | DLOAD | 30..=33 | 38..=41 => (0, 2),
        // array loads: laload and daload give two slots
        47 | 49 => (2, 2),
        IALOAD..=SALOAD => (2, 1),
        // stores
        ISTORE | FSTORE | ASTORE | 59..=62 | 67..=70 | 75..=78 => (1, 0),
        LSTORE | DSTORE | 63..=66 | 71..=74 => (2, 0),
        80 | 82 => (4, 0),
        IASTORE..=SASTORE => (3, 0),
        // stack
        POP => (1, 0),
        POP2 => (2, 0),
        DUP => (1, 2),
        DUP_X1 => (2, 3),
        DUP_X2 => (3, 4),
        DUP2 => (2, 4),
        DUP2_X1 => (3, 5),
        DUP2_X2 => (4, 6),
        SWAP => (2, 2),
        // arithmetic, four by four: int, long, float, double
        96 | 98 | 100 | 102 | 104 | 106 | 108 | 110 | 112 | 114 => (2, 1),
        97 | 99 | 101 | 103 | 105 | 107 | 109 | 111 | 113 | 115 => (4, 2),
        116 | 118 => (1, 1),
        117 | 119 => (2, 2),
        // shifts take an int distance
        120 | 122 | 124 => (2, 1),
        121 | 123 | 125 => (3, 2),
        126 | 128 | 130 => (2, 1),
        127 | 129 | 131 => (4, 2),
        // conversions: i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s
        133 | 135 | 140 | 141 => (1, 2),
        134 | 139 | 145..=147 => (1, 1),
        136 | 137 | 142 | 144 => (2, 1),
        138 | 143 => (2, 2),
        // comparisons
        148 | 151 | 152 => (4, 1),
        149 | 150 => (2, 1),
        IFEQ..=158 | IFNULL | IFNONNULL => (1, 0),
        159..=IF_ACMPNE => (2, 0),
        JSR | JSR_W => (0, 1),
        TABLESWITCH | LOOKUPSWITCH => (1, 0),
        IRETURN | FRETURN | ARETURN | ATHROW => (1, 0),
        LRETURN | DRETURN => (2, 0),
        NEW => (0, 1),
        // newarray, anewarray, arraylength, checkcast, instanceof
        188..=190 | CHECKCAST | 193 => (1, 1),
        MONITORENTER | MONITOREXIT => (1, 0),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_opcode_has_a_length_and_an_effect() {
        for op in 0..=JSR_W {
            let variable = matches!(op, TABLESWITCH | LOOKUPSWITCH | WIDE);
            assert_eq!(LENGTH[usize::from(op)] == 0, variable, "{op}");
            let by_pool = matches!(op, GETSTATIC..=INVOKEDYNAMIC | MULTIANEWARRAY | WIDE);
            assert_eq!(stack_effect(op).is_none(), by_pool, "{op}");
        }
        assert!((JSR_W + 1..=255).all(|op| LENGTH[usize::from(op)] == 0));
    }

    #[test]
    fn inversion_swaps_the_pairs() {
        for (op, other) in [
            (153, 154),
            (155, 156),
            (157, 158),
            (159, 160),
            (161, 162),
            (163, 164),
            (165, 166),
        ] {
            assert_eq!((inverted(op), inverted(other)), (other, op));
        }
        assert_eq!((inverted(IFNULL), inverted(IFNONNULL)), (IFNONNULL, IFNULL));
    }
}

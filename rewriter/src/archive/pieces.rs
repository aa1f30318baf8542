//! A file to be, as a list of what it is made of. Only headers are in memory; the rest is ranges of other
//! files.

use std::io::{self, Write};

use super::source::{Source, zeroed};

#[derive(Debug)]
enum Piece {
    Bytes(Vec<u8>),
    Span(Source),
}

#[derive(Debug, Default)]
pub(super) struct Pieces {
    list: Vec<Piece>,
    len: u64,
}

impl Pieces {
    /// For about so many.
    pub fn with_room(pieces: usize) -> Pieces {
        Pieces {
            list: Vec::with_capacity(pieces),
            len: 0,
        }
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn bytes(&mut self, bytes: Vec<u8>) {
        self.len += bytes.len() as u64;
        match self.list.last_mut() {
            Some(Piece::Bytes(last)) => last.extend_from_slice(&bytes),
            _ => self.list.push(Piece::Bytes(bytes)),
        }
    }

    /// Neighbours in the same file become one piece: most of an archive is copied in a few long strokes.
    pub fn span(&mut self, source: Source) {
        self.len += source.len();
        if let Some(Piece::Span(last)) = self.list.last_mut()
            && let Some(joined) = last.joined(&source)
        {
            *last = joined;
        } else if source.len() > 0 {
            self.list.push(Piece::Span(source));
        }
    }

    pub fn append(&mut self, mut other: Pieces) {
        self.len += other.len;
        self.list.append(&mut other.list);
    }

    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        for piece in &self.list {
            match piece {
                Piece::Bytes(bytes) => out.write_all(bytes)?,
                Piece::Span(source) => source.copy_to(out)?,
            }
        }
        Ok(())
    }

    /// Everything in memory, or `None` if there is not enough.
    pub fn gather(&self) -> io::Result<Option<Vec<u8>>> {
        let Some(mut bytes) = zeroed(self.len) else {
            return Ok(None);
        };
        self.write_to(&mut bytes.as_mut_slice())?;
        Ok(Some(bytes))
    }

    pub fn crc(&self) -> io::Result<u32> {
        struct Sum(crc32fast::Hasher);
        impl Write for Sum {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.update(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut sum = Sum(crc32fast::Hasher::new());
        self.write_to(&mut sum)?;
        Ok(sum.0.finalize())
    }
}

//! Traces of events, driven through the core as the Java runtime drives it.

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod claim;
#[cfg(test)]
mod closure;
#[cfg(test)]
mod doors;
#[cfg(test)]
mod events;
#[cfg(test)]
mod figures;
#[cfg(test)]
mod generate;
#[cfg(test)]
mod handed;
#[cfg(test)]
mod happens_before;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod lock_order;
#[cfg(test)]
mod locks;
#[cfg(test)]
mod optimistic;
#[cfg(test)]
mod order_figures;
#[cfg(test)]
mod replay;
#[cfg(test)]
mod runs;
#[cfg(test)]
mod sharing;
#[cfg(test)]
mod updates;
#[cfg(test)]
mod views;

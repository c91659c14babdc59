//! The requests of a client that are not done with, and how many there may be.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::RequestId;

/// How many requests may be unanswered, or cancelled and still at work, at once.
pub const IN_FLIGHT: usize = 512;

/// The requests that are not done with. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Unanswered(Arc<Mutex<Book>>);

/// Why a request is not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// [`IN_FLIGHT`] are there.
    TooMany,
    /// Another one has this id.
    SameId,
}

/// One request's work: as long as it is held, the request is not done with unless it was answered.
#[derive(Debug)]
pub struct Work {
    book: Unanswered,
    id: RequestId,
    number: u64,
}

impl Unanswered {
    /// A request has come; what is returned is to be held until its work has ended.
    ///
    /// # Errors
    /// It is one too many.
    pub fn begin(&self, id: &RequestId) -> Result<Arc<Work>, Refused> {
        let mut book = self.lock();
        if book.entries.len() >= IN_FLIGHT {
            return Err(Refused::TooMany);
        }
        if book.entries.contains_key(id) {
            return Err(Refused::SameId);
        }
        let number = book.begun;
        book.begun = number.wrapping_add(1);
        book.entries.insert(id.clone(), Entry { number, state: State::AtWork });
        Ok(Arc::new(Work { book: self.clone(), id: id.clone(), number }))
    }

    /// An answer goes out.
    pub fn answer(&self, id: &RequestId) {
        self.lock().entries.remove(id);
    }

    /// The client wants no answer any more: there will be none, but the work goes on until it ends.
    pub fn cancel(&self, id: &RequestId) {
        let mut book = self.lock();
        match book.entries.get_mut(id) {
            Some(entry) if entry.state == State::Ended => drop(book.entries.remove(id)),
            Some(entry) => entry.state = State::Cancelled,
            None => {}
        }
    }

    fn lock(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        let mut book = self.book.lock();
        // After an answer the id may belong to another request.
        let Some(entry) = book.entries.get_mut(&self.id).filter(|entry| entry.number == self.number) else { return };
        match entry.state {
            State::AtWork => entry.state = State::Ended,
            State::Cancelled => drop(book.entries.remove(&self.id)),
            State::Ended => {}
        }
    }
}

#[derive(Debug, Default)]
struct Book {
    entries: HashMap<RequestId, Entry>,
    /// How many requests there were.
    begun: u64,
}

#[derive(Debug)]
struct Entry {
    number: u64,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    AtWork,
    /// No answer will come.
    Cancelled,
    /// The answer is on its way.
    Ended,
}

#[cfg(test)]
mod tests {
    use rmcp::model::RequestId;

    use crate::mcp::unanswered::{IN_FLIGHT, Refused, Unanswered};

    fn id(number: usize) -> RequestId {
        RequestId::String(number.to_string().into())
    }

    #[test]
    fn a_cancelled_request_counts_until_its_work_ends() {
        let all = Unanswered::default();
        let mut works: Vec<_> = (0..IN_FLIGHT).map(|number| all.begin(&id(number)).unwrap()).collect();
        (0..IN_FLIGHT).for_each(|number| all.cancel(&id(number)));
        assert_eq!(all.begin(&id(IN_FLIGHT)).err(), Some(Refused::TooMany));
        works.pop();
        assert_eq!(all.begin(&id(0)).err(), Some(Refused::SameId));
        let last = all.begin(&id(IN_FLIGHT)).unwrap();
        assert_eq!(all.begin(&id(IN_FLIGHT + 1)).err(), Some(Refused::TooMany));
        drop((works, last));
        assert!(all.begin(&id(0)).is_ok());
    }

    #[test]
    fn an_answer_frees_whatever_comes_first() {
        let all = Unanswered::default();
        // The work ends, then the answer goes out.
        drop(all.begin(&id(1)).unwrap());
        assert_eq!(all.begin(&id(1)).err(), Some(Refused::SameId));
        all.answer(&id(1));
        // The answer goes out, and the work ends when another request has the id.
        let old = all.begin(&id(1)).unwrap();
        all.answer(&id(1));
        let new = all.begin(&id(1)).unwrap();
        all.cancel(&id(1));
        drop(old);
        assert_eq!(all.begin(&id(1)).err(), Some(Refused::SameId));
        drop(new);
        // The work ends, then a cancellation comes: nobody answers.
        drop(all.begin(&id(1)).unwrap());
        all.cancel(&id(1));
        assert!(all.begin(&id(1)).is_ok());
        all.cancel(&id(2));
        all.answer(&id(2));
    }
}

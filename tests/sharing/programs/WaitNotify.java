/** An object handed over in a slot with wait and notify, and the answer handed back. */
public class WaitNotify {
    static class Cell {
        int question;
        int answer;
    }

    static class Slot {
        Cell content;
        boolean answered;

        synchronized void put(Cell cell) {
            content = cell; // shared: content
            notifyAll();
        }

        synchronized Cell take() throws InterruptedException {
            while (content == null) { // shared: content
                wait();
            }
            return content; // shared: content
        }

        synchronized void done() {
            answered = true; // shared: answered
            notifyAll();
        }

        synchronized void await() throws InterruptedException {
            while (!answered) { // shared: answered
                wait();
            }
        }
    }

    static class Draft {
        int prepared;
    }

    public static void main(String[] args) throws Exception {
        Slot slot = new Slot();
        Thread thread = new Thread(() -> {
            try {
                Cell cell = slot.take();
                cell.answer = cell.question++; // shared: answer, question
                slot.done();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        Draft draft = new Draft();
        draft.prepared = 3; // local: prepared
        Cell cell = new Cell();
        cell.question = draft.prepared; // shared: question; local: prepared
        slot.put(cell);
        slot.await();
        System.out.println(cell.answer + cell.question); // shared: answer, question
        thread.join();
    }
}

package racewire.rt;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Futures of which the first that is done decides, as in {@code anyOf}: whoever finds out knows what came before that
 * one, not what came before the others. Each that ends when the choice is made is noted as late; of one whose end is not
 * seen it is taken that it decided.
 */
final class Choice {
    private final Set<SyncRef> late = ConcurrentHashMap.newKeySet();
    /** Done once the choice is made; null: {@link #made} says so. */
    private volatile WeakReference<CompletableFuture<?>> result;
    private volatile boolean made;

    /** Before the call that makes the choice, or waits for it: of those that are done the first one counts. */
    Choice(SyncRef[] sources) {
        boolean found = false;
        for (SyncRef source : sources) {
            if (source == null) {
                continue;
            }
            if (found) {
                late.add(source);
                continue;
            }
            source.watch(this);
            Handover task = source.handover;
            if (task != null) {
                task.watch(source);
            }
            found = isDone(source.get());
        }
    }

    /** After the call: this tells of the choice. */
    void toldBy(Object future) {
        if (future != null && future.getClass() == CompletableFuture.class) {
            result = new WeakReference<>((CompletableFuture<?>) future);
        }
    }

    void made() {
        made = true;
    }

    boolean isLate(SyncRef source) {
        return late.contains(source);
    }

    private boolean isMade() {
        WeakReference<CompletableFuture<?>> told = result;
        return made || told != null && isDone(told.get());
    }

    /** Of a future of the JDK; any other could do anything. */
    private static boolean isDone(Object future) {
        return future != null && future.getClass() == CompletableFuture.class
                && ((CompletableFuture<?>) future).isDone();
    }

    /** Before {@code source} is done, which these choices may wait for. */
    static void finishing(Choice[] choices, SyncRef source) {
        if (choices != null) {
            for (Choice choice : choices) {
                if (choice.isMade()) {
                    choice.late.add(source);
                }
            }
        }
    }

    /** This one, and all of {@code known} that {@code source} may decide yet. */
    static Choice[] with(Choice[] known, Choice one, SyncRef source) {
        List<Choice> all = new ArrayList<>();
        boolean isDone = isDone(source.get());
        for (int i = 0; known != null && !isDone && i < known.length; i++) {
            Choice choice = known[i];
            WeakReference<CompletableFuture<?>> told = choice.result;
            if (choice.isMade()) {
                choice.late.add(source);
            } else if (told == null || told.get() != null) {
                all.add(choice);
            }
        }
        all.add(one);
        return all.toArray(new Choice[0]);
    }
}

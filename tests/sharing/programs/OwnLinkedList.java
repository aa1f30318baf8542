/** A hand-written generic list: one instance is shared, another is local, and both use the same code (contexts). */
public class OwnLinkedList {
    static class Linked<T> {
        static class Node<T> {
            T item;
            Node<T> next;
        }

        Node<T> head;
        int size;

        Linked<T> add(T item) {
            Node<T> node = new Node<>();
            node.item = item; // shared: item
            node.next = head; // shared: next, head
            head = node; // shared: head
            size++; // shared: size
            return this;
        }

        T first() {
            return head.item; // shared: head, item
        }
    }

    static class Cell {
        int value;
    }

    public static void main(String[] args) throws Exception {
        Linked<Cell> shared = new Linked<>();
        shared.add(new Cell()).add(new Cell());
        Thread thread = new Thread(() -> {
            shared.first().value++; // shared: value
            shared.head.next.item.value++; // shared: head, next, item
            shared.size++; // shared: size
            shared.add(new Cell());
        });
        thread.start();
        thread.join();
        System.out.println(shared.size + shared.head.next.item.value); // shared: size, head, next, item, value
        Linked<Cell> local = new Linked<>();
        local.add(new Cell()).add(new Cell());
        local.first().value++; // local: value
        local.size--; // local: size
        System.out.println(local.head.next.item.value + local.size); // local: head, next, item, value, size
    }
}

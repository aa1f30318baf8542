/** Recursive data structures: a tree that is built, summed up and dropped, and one that is published. */
public class Trees {
    static class Tree {
        Tree left;
        Tree right;
        int key;
    }

    static class Scratch {
        Scratch down;
        int level;
    }

    static Tree root;

    static Tree build(int depth) {
        Tree tree = new Tree();
        tree.key = depth; // shared: key
        if (depth > 0) {
            tree.left = build(depth - 1); // shared: left
            tree.right = build(depth - 1); // shared: right
        }
        return tree;
    }

    static void increment(Tree tree) {
        if (tree != null) {
            tree.key++; // shared: key
            increment(tree.left); // shared: left
            increment(tree.right); // shared: right
        }
    }

    static Scratch chain(int length) {
        Scratch scratch = new Scratch();
        scratch.level = length; // local: level
        scratch.down = length == 0 ? null : chain(length - 1); // local: down
        return scratch;
    }

    public static void main(String[] args) throws Exception {
        root = build(3); // shared: root
        Thread thread = new Thread(() -> increment(root.left)); // shared: root, left
        thread.start();
        thread.join();
        System.out.println(root.left.right.key); // shared: root, left, right, key
        int sum = 0;
        for (Scratch at = chain(4); at != null; at = at.down) { // local: down
            sum += at.level; // local: level
        }
        Tree dropped = new Tree();
        dropped.left = new Tree(); // local: left
        dropped.left.key = sum; // local: left, key
        System.out.println(dropped.left.key); // local: left, key
    }
}

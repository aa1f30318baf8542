import java.util.SplittableRandom;

/** An AVL tree: inserts, searches and deletes with random keys, one thread. */
public final class Tree {
    private static final int KEYS = 1 << 18;
    private static final int OPERATIONS = 2_000_000;

    static final class Node {
        int key;
        long value;
        int height = 1;
        Node left;
        Node right;

        Node(int key, long value) {
            this.key = key;
            this.value = value;
        }

        void update() {
            height = 1 + Math.max(height(left), height(right));
        }

        int balance() {
            return height(left) - height(right);
        }
    }

    private Node root;
    private int size;

    private static int height(Node node) {
        return node == null ? 0 : node.height;
    }

    void insert(int key, long value) {
        root = insert(root, key, value);
    }

    private Node insert(Node node, int key, long value) {
        if (node == null) {
            size++;
            return new Node(key, value);
        }
        if (key < node.key) {
            node.left = insert(node.left, key, value);
        } else if (key > node.key) {
            node.right = insert(node.right, key, value);
        } else {
            node.value += value;
            return node;
        }
        return balanced(node);
    }

    Node find(int key) {
        Node node = root;
        while (node != null && node.key != key) {
            node = key < node.key ? node.left : node.right;
        }
        return node;
    }

    void delete(int key) {
        root = delete(root, key);
    }

    private Node delete(Node node, int key) {
        if (node == null) {
            return null;
        }
        if (key < node.key) {
            node.left = delete(node.left, key);
        } else if (key > node.key) {
            node.right = delete(node.right, key);
        } else if (node.left == null || node.right == null) {
            size--;
            return node.left == null ? node.right : node.left;
        } else {
            Node next = node.right;
            while (next.left != null) {
                next = next.left;
            }
            node.key = next.key;
            node.value = next.value;
            node.right = delete(node.right, next.key);
        }
        return balanced(node);
    }

    private static Node balanced(Node node) {
        node.update();
        int balance = node.balance();
        if (balance > 1) {
            if (node.left.balance() < 0) {
                node.left = rotatedLeft(node.left);
            }
            return rotatedRight(node);
        }
        if (balance < -1) {
            if (node.right.balance() > 0) {
                node.right = rotatedRight(node.right);
            }
            return rotatedLeft(node);
        }
        return node;
    }

    private static Node rotatedRight(Node node) {
        Node top = node.left;
        node.left = top.right;
        top.right = node;
        node.update();
        top.update();
        return top;
    }

    private static Node rotatedLeft(Node node) {
        Node top = node.right;
        node.right = top.left;
        top.left = node;
        node.update();
        top.update();
        return top;
    }

    private static long fingerprint(Node node) {
        if (node == null) {
            return 1;
        }
        return (fingerprint(node.left) * 31 + node.key) * 31 + node.value + fingerprint(node.right) * 17;
    }

    /** Half the operations search, the rest insert and delete. */
    private long use() {
        SplittableRandom random = new SplittableRandom(11);
        root = null;
        size = 0;
        long found = 0;
        for (int i = 0; i < OPERATIONS; i++) {
            int key = random.nextInt(KEYS);
            switch (i & 3) {
                case 0 -> insert(key, i);
                case 1 -> delete(key);
                default -> {
                    Node node = find(key);
                    found += node == null ? 0 : node.value;
                    // Twice as many inserts as deletes, or the tree would stay small.
                    if (node == null && (i & 7) == 2) {
                        insert(key, 1);
                    }
                }
            }
        }
        return (found * 31 + size) * 31 + fingerprint(root);
    }

    public static void main(String[] args) throws Exception {
        Iterations.run(args, new Tree()::use);
    }
}

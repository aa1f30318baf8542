import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/** Several threads index into one writer, then several search one reader; prints the number of hits. */
public final class LuceneLoad {
    private static final int THREADS = 3;
    private static final int DOCUMENTS = 500;
    private static final String[] WORDS = {
        "running", "threads", "share", "variables", "without", "locks", "and", "races", "follow", "them"
    };

    public static void main(String[] args) throws Exception {
        try (Directory directory = new ByteBuffersDirectory()) {
            IndexWriterConfig config = new IndexWriterConfig(new EnglishAnalyzer());
            config.setMaxBufferedDocs(50);
            try (IndexWriter writer = new IndexWriter(directory, config)) {
                inThreads(t -> index(writer, t));
                writer.deleteDocuments(new Term("id", "1-7"), new Term("id", "2-9"));
                writer.forceMerge(2);
                writer.commit();
            }
            ConcurrentHashMap<String, Long> hits = new ConcurrentHashMap<>();
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                inThreads(t -> search(searcher, t, hits));
                System.out.println("documents " + reader.numDocs());
            }
            new TreeMap<>(hits).forEach((query, count) -> System.out.println(query + " " + count));
        }
    }

    private interface Work {
        void run(int thread) throws Exception;
    }

    private static void inThreads(Work work) throws Exception {
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
        for (int t = 0; t < THREADS; t++) {
            int number = t;
            Thread thread =
                    new Thread(
                            () -> {
                                try {
                                    work.run(number);
                                } catch (Throwable e) {
                                    failures.add(e);
                                }
                            });
            threads.add(thread);
            thread.start();
        }
        for (Thread t : threads) {
            t.join();
        }
        for (Throwable e : failures) {
            throw new IllegalStateException(e);
        }
    }

    private static void index(IndexWriter writer, int thread) throws Exception {
        for (int i = 0; i < DOCUMENTS; i++) {
            Document document = new Document();
            document.add(new StringField("id", thread + "-" + i, Field.Store.YES));
            document.add(new TextField("text", text(i), Field.Store.NO));
            document.add(new IntPoint("size", i));
            document.add(new NumericDocValuesField("rank", i % 10));
            writer.addDocument(document);
        }
    }

    private static String text(int i) {
        StringBuilder text = new StringBuilder();
        for (int w = 0; w < WORDS.length; w++) {
            if ((i >> (w % 7) & 1) == w % 2) {
                text.append(WORDS[w]).append(' ');
            }
        }
        return text.toString();
    }

    private static void search(IndexSearcher searcher, int thread, ConcurrentHashMap<String, Long> hits)
            throws Exception {
        for (String word : new String[] {"run", "thread", "share", "variabl", "lock", "race", "follow"}) {
            Query query = new TermQuery(new Term("text", word));
            count(searcher, thread, word, query, hits);
            Query both =
                    new BooleanQuery.Builder()
                            .add(query, BooleanClause.Occur.MUST)
                            .add(IntPoint.newRangeQuery("size", 100, 300), BooleanClause.Occur.FILTER)
                            .build();
            count(searcher, thread, word + " in 100..300", both, hits);
        }
    }

    private static void count(
            IndexSearcher searcher, int thread, String name, Query query, ConcurrentHashMap<String, Long> hits)
            throws Exception {
        long total = searcher.search(query, 10_000, new Sort(new SortField("rank", SortField.Type.INT))).scoreDocs.length;
        hits.put(thread + " " + name, total);
    }
}

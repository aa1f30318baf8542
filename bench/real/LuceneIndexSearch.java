import java.util.SplittableRandom;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;

/**
 * Lucene in memory: two threads index texts into one writer, then two threads search one reader. Which document gets
 * which number depends on the scheduler, so only hits are counted, and their ranks summed.
 */
public final class LuceneIndexSearch {
    private static final int THREADS = 2;
    private static final int DOCUMENTS = 2_000;
    private static final int WORDS_EACH = 60;
    private static final int QUERIES = 250;
    private static final String[] STEMS = {
        "thread", "lock", "variable", "monitor", "field", "object", "class", "method", "race", "order", "queue", "task",
        "signal", "barrier", "memory", "cache", "program", "report", "detector", "epoch", "period", "state", "word",
        "bank", "account", "transfer", "coaster", "passenger", "tree", "node", "grid", "matrix"
    };
    private static final String[] ENDINGS = {"", "s", "ed", "ing"};

    interface Work {
        long run(int thread) throws Exception;
    }

    static final class Worker extends Thread {
        private final Work work;
        private final int number;
        private long result;
        private Exception failure;

        Worker(Work work, int number) {
            this.work = work;
            this.number = number;
        }

        @Override
        public void run() {
            try {
                result = work.run(number);
            } catch (Exception e) {
                failure = e;
            }
        }
    }

    private ByteBuffersDirectory directory;

    private static long inThreads(Work work) throws Exception {
        Worker[] workers = new Worker[THREADS];
        for (int t = 0; t < THREADS; t++) {
            workers[t] = new Worker(work, t);
            workers[t].start();
        }
        long sum = 0;
        for (Worker worker : workers) {
            worker.join();
            if (worker.failure != null) {
                throw worker.failure;
            }
            sum = sum * 31 + worker.result;
        }
        return sum;
    }

    private static long index(IndexWriter writer, int thread) throws Exception {
        SplittableRandom random = new SplittableRandom(thread);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < DOCUMENTS; i++) {
            text.setLength(0);
            for (int w = 0; w < WORDS_EACH; w++) {
                // The smaller of two draws: some words are frequent, some are rare.
                int stem = Math.min(random.nextInt(STEMS.length), random.nextInt(STEMS.length));
                text.append(STEMS[stem]).append(ENDINGS[random.nextInt(ENDINGS.length)]).append(' ');
            }
            Document document = new Document();
            document.add(new TextField("text", text.toString(), Field.Store.YES));
            document.add(new IntPoint("size", i));
            document.add(new NumericDocValuesField("rank", random.nextInt(1000)));
            writer.addDocument(document);
        }
        return DOCUMENTS;
    }

    private static long search(IndexSearcher searcher, int thread) throws Exception {
        Sort byRank = new Sort(new SortField("rank", SortField.Type.INT));
        long sum = 0;
        for (int i = 0; i < QUERIES; i++) {
            String first = STEMS[(i * 5 + thread) % STEMS.length];
            String second = STEMS[i * 3 % STEMS.length];
            BooleanQuery.Builder both = new BooleanQuery.Builder();
            both.add(new TermQuery(new Term("text", first)), BooleanClause.Occur.SHOULD);
            both.add(new TermQuery(new Term("text", "monitor")), BooleanClause.Occur.SHOULD);
            both.add(IntPoint.newRangeQuery("size", i, i + 800), BooleanClause.Occur.FILTER);
            sum = sum * 31 + searcher.count(both.build());
            Query phrase = new PhraseQuery("text", first, second);
            sum = sum * 31 + searcher.count(phrase);
            for (var hit : searcher.search(phrase, 20, byRank).scoreDocs) {
                sum += ((Number) ((FieldDoc) hit).fields[0]).longValue();
            }
        }
        return sum;
    }

    private long work() throws Exception {
        directory = new ByteBuffersDirectory();
        IndexWriterConfig config = new IndexWriterConfig(new EnglishAnalyzer());
        config.setMaxBufferedDocs(1000);
        long sum;
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            sum = inThreads(t -> index(writer, t));
            writer.forceMerge(1);
        }
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            // Not cached: the same queries come again in the next iteration.
            IndexSearcher searcher = new IndexSearcher(reader);
            searcher.setQueryCache(null);
            return sum * 31 + inThreads(t -> search(searcher, t));
        }
    }

    public static void main(String[] args) throws Exception {
        Iterations.run(args, new LuceneIndexSearch()::work);
    }
}

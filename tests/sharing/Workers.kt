// A Kotlin program for the oracle: threads, coroutines on several threads, lambdas, delegates, objects, data classes.
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.concurrent.thread
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock

class Tally {
    var total = 0
    var mine = 0
}

object Registry {
    var registered = 0
    val names = ConcurrentLinkedQueue<Entry>()
}

data class Entry(var name: String, var count: Int)

class Lazily {
    var made = 0
    val value: Tally by lazy { made++; Tally() }
}

suspend fun step(tally: Tally, mutex: Mutex, n: Int): Int {
    val local = Tally()
    for (i in 1..n) {
        local.mine += i
        mutex.withLock { tally.total += i }
    }
    return local.mine
}

fun main() {
    val shared = Tally()
    val lazily = Lazily()
    val threads = (1..3).map { n ->
        thread {
            val local = Tally()
            repeat(100) {
                local.mine++
                synchronized(shared) { shared.total += n }
            }
            synchronized(Registry) { Registry.registered++ }
            Registry.names.add(Entry("worker", n))
            synchronized(shared) { shared.total += local.mine + lazily.value.mine }
        }
    }
    threads.forEach { it.join() }
    val counts = Registry.names.onEach { it.count++ }.sumOf { it.count }

    val async = Tally()
    val mutex = Mutex()
    val steps = runBlocking(Dispatchers.Default) {
        (1..20).map { n -> async { step(async, mutex, n) } }.awaitAll().sum()
    }
    val alone = listOf(3, 1, 2).map { it * 2 }.sorted().associateWith { k -> Tally().also { it.mine = k } }
    println("${shared.total} ${Registry.registered} $counts ${async.total} $steps ${alone.values.sumOf { it.mine }}")
}

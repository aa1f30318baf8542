package racewire.maven;

import org.apache.maven.execution.ExecutionEvent;
import org.apache.maven.execution.ExecutionListener;

/** An execution listener in front of another one, which still hears everything. */
abstract class ForwardingListener implements ExecutionListener {
    private final ExecutionListener next;

    ForwardingListener(ExecutionListener next) {
        this.next = next;
    }

    @Override
    public void projectDiscoveryStarted(ExecutionEvent event) {
        if (next != null) {
            next.projectDiscoveryStarted(event);
        }
    }

    @Override
    public void sessionStarted(ExecutionEvent event) {
        if (next != null) {
            next.sessionStarted(event);
        }
    }

    @Override
    public void sessionEnded(ExecutionEvent event) {
        if (next != null) {
            next.sessionEnded(event);
        }
    }

    @Override
    public void projectSkipped(ExecutionEvent event) {
        if (next != null) {
            next.projectSkipped(event);
        }
    }

    @Override
    public void projectStarted(ExecutionEvent event) {
        if (next != null) {
            next.projectStarted(event);
        }
    }

    @Override
    public void projectSucceeded(ExecutionEvent event) {
        if (next != null) {
            next.projectSucceeded(event);
        }
    }

    @Override
    public void projectFailed(ExecutionEvent event) {
        if (next != null) {
            next.projectFailed(event);
        }
    }

    @Override
    public void mojoSkipped(ExecutionEvent event) {
        if (next != null) {
            next.mojoSkipped(event);
        }
    }

    @Override
    public void mojoStarted(ExecutionEvent event) {
        if (next != null) {
            next.mojoStarted(event);
        }
    }

    @Override
    public void mojoSucceeded(ExecutionEvent event) {
        if (next != null) {
            next.mojoSucceeded(event);
        }
    }

    @Override
    public void mojoFailed(ExecutionEvent event) {
        if (next != null) {
            next.mojoFailed(event);
        }
    }

    @Override
    public void forkStarted(ExecutionEvent event) {
        if (next != null) {
            next.forkStarted(event);
        }
    }

    @Override
    public void forkSucceeded(ExecutionEvent event) {
        if (next != null) {
            next.forkSucceeded(event);
        }
    }

    @Override
    public void forkFailed(ExecutionEvent event) {
        if (next != null) {
            next.forkFailed(event);
        }
    }

    @Override
    public void forkedProjectStarted(ExecutionEvent event) {
        if (next != null) {
            next.forkedProjectStarted(event);
        }
    }

    @Override
    public void forkedProjectSucceeded(ExecutionEvent event) {
        if (next != null) {
            next.forkedProjectSucceeded(event);
        }
    }

    @Override
    public void forkedProjectFailed(ExecutionEvent event) {
        if (next != null) {
            next.forkedProjectFailed(event);
        }
    }
}

package figures;

import racewire.api.Pointcut;

class MyFigure8 extends Figure8 {
    @Override
    @Pointcut("within(app.Task)")
    protected void scope() { }
}

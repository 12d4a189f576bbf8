// SPDX-License-Identifier: MIT
// The time that a picture takes on the graphics processor. The times between pictures do not show it: a display of 30
// Hz, a battery mode or a browser that draws seldom looks like a slow machine. So the drawing itself is timed: by a
// timer query where the browser has them (EXT_disjoint_timer_query_webgl2), else by a fence that is polled until it is
// done.

const QUERIES_MAX = 4; // on their way at a time: results come some pictures later
const LOOK_MS = 1; // between two looks at a fence; browsers make that 4
const LATE_MS = 5; // a look that comes later than that says nothing of when the drawing was done

/** Times pictures, `begin` and `end` around each. */
export class GpuTimer {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    this.timer = gl.getExtension('EXT_disjoint_timer_query_webgl2');
    /** ms of the graphics processor for the picture that was timed last; null before the first. */
    this.ms = null;
    /** @type {WebGLQuery[]} on their way, the oldest first */
    this.queries = [];
    this.timed = false; // the picture being drawn
    this.fenced = false; // a fence is being looked at
    this.ended = false;
  }

  begin() {
    if (!this.timer || this.queries.length >= QUERIES_MAX) return;
    const query = this.gl.createQuery();
    if (!query) return; // the context is lost
    this.gl.beginQuery(this.timer.TIME_ELAPSED_EXT, query);
    this.queries.push(query);
    this.timed = true;
  }

  end() {
    if (!this.timer) {
      if (!this.fenced) this.#fence();
      return;
    }
    if (this.timed) this.gl.endQuery(this.timer.TIME_ELAPSED_EXT);
    this.timed = false;
    this.#read();
  }

  /** Looks at no fence any more. */
  dispose() {
    this.ended = true;
  }

  #read() {
    const { gl, timer, queries } = this;
    const disjoint = gl.getParameter(timer.GPU_DISJOINT_EXT); // its clock changed: times measured meanwhile are wrong
    while (queries.length > 0 && gl.getQueryParameter(queries[0], gl.QUERY_RESULT_AVAILABLE)) {
      const [query] = queries.splice(0, 1);
      if (!disjoint) this.ms = gl.getQueryParameter(query, gl.QUERY_RESULT) / 1e6;
      gl.deleteQuery(query);
    }
  }

  // The drawing ends between two looks: the middle is taken, and where the page was busy in between, the earlier one.
  #fence() {
    const { gl } = this;
    const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!sync) return;
    gl.flush();
    this.fenced = true;
    const start = performance.now();
    let before = start;
    const look = () => {
      const now = performance.now();
      if (!this.ended && !gl.isContextLost() && gl.getSyncParameter(sync, gl.SYNC_STATUS) !== gl.SIGNALED) {
        before = now;
        setTimeout(look, LOOK_MS);
        return;
      }
      this.fenced = false;
      gl.deleteSync(sync);
      this.ms = (now - before > LATE_MS ? before : (before + now) / 2) - start;
    };
    setTimeout(look, LOOK_MS);
  }
}

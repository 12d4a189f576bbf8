// SPDX-License-Identifier: MIT
// Measures the time that a picture takes on the graphics processor. The interval between pictures does not show this time: a
// 30 Hz display, a battery mode or a browser that draws rarely looks like a slow machine. The timer uses timer queries where
// the browser has them (EXT_disjoint_timer_query_webgl2), otherwise a fence that is polled until it is signalled.

const QUERIES_MAX = 4; // maximum number of pending queries; results arrive some pictures later
const POLL_MS = 1; // interval of polling a fence; browsers raise it to 4
const POLL_LATE_MS = 5; // a poll that is later than this gives no useful time

/** Times pictures between calls of `begin` and `end`. */
export class GpuTimer {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    this.timer = gl.getExtension('EXT_disjoint_timer_query_webgl2');
    /** The graphics processor's time in ms for the last measured picture; null before the first. */
    this.ms = null;
    /** @type {WebGLQuery[]} pending queries, oldest first */
    this.queries = [];
    this.timed = false; // whether the current picture is being timed
    this.fenced = false; // whether a fence is being polled
    this.ended = false;
  }

  begin() {
    if (!this.timer || this.queries.length >= QUERIES_MAX) return;
    const query = this.gl.createQuery();
    if (!query) return; // the WebGL context is lost
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

  /** Stops polling fences. */
  dispose() {
    this.ended = true;
  }

  #read() {
    const { gl, timer, queries } = this;
    const disjoint = gl.getParameter(timer.GPU_DISJOINT_EXT); // the clock was interrupted, so times measured meanwhile are invalid
    while (queries.length > 0 && gl.getQueryParameter(queries[0], gl.QUERY_RESULT_AVAILABLE)) {
      const [query] = queries.splice(0, 1);
      if (!disjoint) this.ms = gl.getQueryParameter(query, gl.QUERY_RESULT) / 1e6;
      gl.deleteQuery(query);
    }
  }

  // Drawing ended between two polls: the middle is taken, or the earlier poll if the page was busy in between.
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
        setTimeout(look, POLL_MS);
        return;
      }
      this.fenced = false;
      gl.deleteSync(sync);
      this.ms = (now - before > POLL_LATE_MS ? before : (before + now) / 2) - start;
    };
    setTimeout(look, POLL_MS);
  }
}

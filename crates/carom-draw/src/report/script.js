"use strict";
(function () {
  const source = document.getElementById("film-data");
  if (source) film(JSON.parse(source.textContent));
  document.querySelectorAll("table.sortable").forEach(sortable);

  // Numbers that were packed as letters, two bytes each.
  function unpack(letters) {
    const bytes = atob(letters), numbers = new Uint16Array(bytes.length / 2);
    for (let i = 0; i < numbers.length; i++) numbers[i] = bytes.charCodeAt(2 * i) | (bytes.charCodeAt(2 * i + 1) << 8);
    return numbers;
  }

  function film(data) {
    const box = document.querySelector(".film"), canvas = box.querySelector("canvas"), pen = canvas.getContext("2d");
    const play = box.querySelector(".play"), scrub = box.querySelector(".scrub"), clock = box.querySelector(".clock"), speed = box.querySelector(".speed");
    const D = data.dimension, N = data.cast.length, F = data.times.length, flat = D === 2;
    const places = unpack(data.places), turns = unpack(data.turns);
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    let view = { azimuth: 0.6, elevation: 0.4 }, at = 0, playing = false, before = 0, scale = 1, colours = data.light, sprites = new Map();

    const low = data.low, high = data.high, size = low.map((l, i) => high[i] - l), middle = low.map((l, i) => l + size[i] / 2);
    const diagonal = Math.hypot(...size);
    const place = (frame, body, axis) => data.from[axis] + (places[(frame * N + body) * D + axis] / 65535) * (data.to[axis] - data.from[axis]);

    // A place of the world on the canvas, and how far it is from the eye.
    function project(p) {
      if (flat) return [(p[0] - low[0]) * scale, canvas.height - (p[1] - low[1]) * scale, 0];
      const x = p[0] - middle[0], y = p[1] - middle[1], z = p[2] - middle[2];
      const sa = Math.sin(view.azimuth), ca = Math.cos(view.azimuth), se = Math.sin(view.elevation), ce = Math.cos(view.elevation);
      const across = ca * x - sa * y, away = sa * x + ca * y;
      return [canvas.width / 2 + across * scale, canvas.height / 2 - (ce * z + se * away) * scale, ce * away - se * z];
    }

    function resize() {
      const width = box.clientWidth || 800, ratio = window.devicePixelRatio || 1;
      const wanted = flat ? (width * size[1]) / size[0] : width * 0.62;
      const height = Math.min(Math.max(wanted, 90), Math.max(320, 0.8 * window.innerHeight));
      // A high, narrow scene keeps its shape: the canvas becomes narrower.
      const narrow = flat ? Math.min(width, (height * size[0]) / size[1]) : width;
      canvas.style.width = narrow + "px";
      canvas.style.height = height + "px";
      canvas.width = Math.round(narrow * ratio);
      canvas.height = Math.round(height * ratio);
      scale = flat ? canvas.width / size[0] : 1.15 * Math.min(canvas.width, canvas.height) / diagonal;
      sprites = new Map();
      draw();
    }

    function trace(line) {
      line.forEach((p, i) => { const q = project(p); if (i) pen.lineTo(q[0], q[1]); else pen.moveTo(q[0], q[1]); });
    }

    // A shaded ball, drawn once for each colour and size.
    function sprite(colour, radius) {
      const key = colour + " " + radius.toFixed(2);
      if (sprites.has(key)) return sprites.get(key);
      const half = Math.ceil(radius) + 1, image = document.createElement("canvas");
      image.width = image.height = 2 * half;
      const brush = image.getContext("2d");
      brush.beginPath(); brush.arc(half, half, radius, 0, 2 * Math.PI); brush.fillStyle = colour; brush.fill();
      const light = brush.createRadialGradient(half - 0.35 * radius, half - 0.4 * radius, 0.05 * radius, half, half, radius);
      light.addColorStop(0, "rgba(255,255,255,.55)"); light.addColorStop(0.55, "rgba(0,0,0,0)"); light.addColorStop(1, "rgba(0,0,0,.45)");
      brush.fillStyle = light; brush.fill();
      const made = { image, half };
      sprites.set(key, made);
      return made;
    }

    function turned(body, frame, p) {
      const i = frame * N + body;
      if (flat) {
        const angle = turns.length ? (turns[i] / 65535) * 2 * Math.PI - Math.PI : 0;
        const s = Math.sin(angle), c = Math.cos(angle);
        return [c * p[0] - s * p[1], s * p[0] + c * p[1]];
      }
      if (!turns.length) return p;
      const [w, x, y, z] = [0, 1, 2, 3].map(k => (turns[4 * i + k] / 65535) * 2 - 1);
      const tx = 2 * (y * p[2] - z * p[1]), ty = 2 * (z * p[0] - x * p[2]), tz = 2 * (x * p[1] - y * p[0]);
      return [p[0] + w * tx + y * tz - z * ty, p[1] + w * ty + z * tx - x * tz, p[2] + w * tz + x * ty - y * tx];
    }

    function draw() {
      const frame = Math.min(F - 1, Math.max(0, Math.round(at)));
      const ratio = window.devicePixelRatio || 1;
      colours = dark.matches ? data.dark : data.light;
      pen.fillStyle = colours.paper; pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.lineJoin = "round";
      for (const thing of data.scenery) {
        pen.beginPath(); thing.l.forEach(trace);
        if (thing.f) { pen.globalAlpha = 0.25; pen.fillStyle = colours.wall; pen.fill(); pen.globalAlpha = 1; }
        pen.strokeStyle = colours.wall; pen.lineWidth = (flat ? 1.6 : 1) * ratio;
        pen.setLineDash(thing.s ? [5 * ratio, 4 * ratio] : []); pen.stroke(); pen.setLineDash([]);
      }
      const order = [];
      for (let body = 0; body < N; body++) {
        const p = []; for (let axis = 0; axis < D; axis++) p.push(place(frame, body, axis));
        order.push([project(p), body, p]);
      }
      if (!flat) order.sort((a, b) => b[0][2] - a[0][2]);
      for (const [[x, y], body, p] of order) {
        const who = data.cast[body];
        if (who.l) {
          pen.beginPath();
          who.l.forEach(line => trace(line.map(q => turned(body, frame, q).map((c, i) => c + p[i]))));
          const own = who.c === undefined ? colours.text : colours.series[who.c];
          if (flat && who.c !== undefined) { pen.globalAlpha = 0.85; pen.fillStyle = own; pen.fill(); pen.globalAlpha = 1; }
          pen.strokeStyle = own; pen.lineWidth = (flat ? 1 : 1.5) * ratio; if (who.c === undefined) pen.lineWidth = 2 * ratio;
          pen.stroke();
          continue;
        }
        const radius = Math.max(who.r * scale, 0.8 * ratio), colour = colours.series[who.c];
        if (!flat && radius > 2) {
          const { image, half } = sprite(colour, radius);
          pen.drawImage(image, x - half, y - half);
          continue;
        }
        pen.beginPath(); pen.arc(x, y, radius, 0, 2 * Math.PI);
        pen.globalAlpha = flat ? 0.85 : 1; pen.fillStyle = colour; pen.fill(); pen.globalAlpha = 1;
        if (flat && turns.length && radius > 4 * ratio) {
          const end = turned(body, frame, [0.85 * radius, 0]);
          pen.beginPath(); pen.moveTo(x, y); pen.lineTo(x + end[0], y - end[1]);
          pen.strokeStyle = colours.paper; pen.lineWidth = Math.max(1.2 * ratio, 0.12 * radius); pen.stroke();
        }
      }
      scrub.value = frame;
      clock.textContent = "t = " + data.times[frame].toPrecision(5) + " s";
    }

    function tick(now) {
      if (!playing) return;
      const rate = (F - 1) / data.seconds;
      at += Math.min(0.25, (now - before) / 1000) * rate * Number(speed.value);
      before = now;
      if (at >= F - 1) { at = F - 1; stop(); }
      draw();
      if (playing) requestAnimationFrame(tick);
    }
    function stop() { playing = false; play.textContent = "Play"; }
    function start() {
      if (at >= F - 1) at = 0;
      playing = true; play.textContent = "Pause"; before = performance.now();
      requestAnimationFrame(tick);
    }
    play.addEventListener("click", () => (playing ? stop() : start()));
    scrub.max = F - 1;
    scrub.addEventListener("input", () => { stop(); at = Number(scrub.value); draw(); });
    canvas.addEventListener("keydown", event => {
      if (event.key === " ") { event.preventDefault(); playing ? stop() : start(); }
      if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
        event.preventDefault(); stop();
        at = Math.min(F - 1, Math.max(0, Math.round(at) + (event.key === "ArrowRight" ? 1 : -1))); draw();
      }
    });
    if (!flat) {
      let held = null;
      canvas.style.cursor = "grab";
      canvas.addEventListener("pointerdown", event => { held = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
      canvas.addEventListener("pointermove", event => {
        if (!held) return;
        view.azimuth -= (event.clientX - held[0]) / 150;
        view.elevation = Math.min(1.57, Math.max(-1.57, view.elevation + (event.clientY - held[1]) / 150));
        held = [event.clientX, event.clientY]; draw();
      });
      canvas.addEventListener("pointerup", () => { held = null; });
    }
    dark.addEventListener("change", () => { sprites = new Map(); draw(); });
    window.addEventListener("resize", resize);
    box.hidden = false;
    resize();
  }

  function sortable(table) {
    const body = table.tBodies[0];
    table.querySelectorAll("thead th").forEach((heading, column) => {
      heading.querySelector("button").addEventListener("click", () => {
        const down = heading.getAttribute("aria-sort") === "ascending";
        table.querySelectorAll("thead th").forEach(other => other.removeAttribute("aria-sort"));
        heading.setAttribute("aria-sort", down ? "descending" : "ascending");
        const value = row => { const cell = row.cells[column]; const text = cell.dataset.v || cell.textContent; return text !== "" && isFinite(text) ? Number(text) : text; };
        // Once sorted, first and last are no longer apart.
        const gap = body.querySelector(".gap"); if (gap) gap.remove();
        const rows = Array.from(body.rows);
        rows.sort((a, b) => {
          const x = value(a), y = value(b);
          const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), undefined, { numeric: true });
          return down ? -order : order;
        });
        rows.forEach(row => body.appendChild(row));
      });
    });
  }
})();

"use strict";
(function () {
  const source = document.getElementById("film-data");
  const shown = source ? film(JSON.parse(source.textContent)) : null;
  document.querySelectorAll("table.sortable").forEach(table => { sortable(table); if (shown) linked(table, shown); });

  // Numbers that were packed as letters, two bytes each.
  function unpack(letters) {
    const bytes = atob(letters), numbers = new Uint16Array(bytes.length / 2);
    for (let i = 0; i < numbers.length; i++) numbers[i] = bytes.charCodeAt(2 * i) | (bytes.charCodeAt(2 * i + 1) << 8);
    return numbers;
  }

  // A colour mixed with another, both as #rrggbb.
  function mix(a, b, share) {
    const part = i => Math.round(parseInt(a.substr(i, 2), 16) * (1 - share) + parseInt(b.substr(i, 2), 16) * share);
    return "#" + [1, 3, 5].map(i => part(i).toString(16).padStart(2, "0")).join("");
  }
  function lightness(c) {
    return (0.2126 * parseInt(c.substr(1, 2), 16) + 0.7152 * parseInt(c.substr(3, 2), 16) + 0.0722 * parseInt(c.substr(5, 2), 16)) / 255;
  }

  function film(data) {
    const box = document.querySelector(".film"), canvas = box.querySelector("canvas"), pen = canvas.getContext("2d");
    const play = box.querySelector(".play"), scrub = box.querySelector(".scrub"), clock = box.querySelector(".clock"), speed = box.querySelector(".speed");
    const D = data.dimension, N = data.cast.length, F = data.times.length, flat = D === 2, end = data.times[F - 1];
    const places = unpack(data.places), turns = unpack(data.turns);
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const members = new Map(data.ids.map((id, member) => [id, member]));
    let view = { azimuth: data.frame.view[0], elevation: data.frame.view[1] }, now = 0, playing = false, before = 0, scale = 1, colours = data.light, sprites = new Map();
    let event = null, eye = null;

    const low = data.low, high = data.high, size = low.map((l, i) => high[i] - l), middle = low.map((l, i) => l + size[i] / 2);
    const diagonal = Math.hypot(...size);
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    const place = (frame, body, axis) => data.from[axis] + (places[(frame * N + body) * D + axis] / 65535) * (data.to[axis] - data.from[axis]);
    // A body that is not there has the last number along all axes.
    const absent = (frame, body) => { for (let axis = 0; axis < D; axis++) if (places[(frame * N + body) * D + axis] !== 65535) return false; return true; };

    // The axes of whoever looks: to the right, up, and away; and where the light is.
    function look() {
      const { right, ahead, up } = data.frame;
      const sa = Math.sin(view.azimuth), ca = Math.cos(view.azimuth), se = Math.sin(view.elevation), ce = Math.cos(view.elevation);
      const across = right.map((r, i) => ca * r + sa * ahead[i]);
      const level = right.map((r, i) => -sa * r + ca * ahead[i]);
      const away = level.map((l, i) => ce * l - se * up[i]);
      const upright = level.map((l, i) => se * l + ce * up[i]);
      const light = up.map((u, i) => 1.1 * u - 0.45 * across[i] - 0.65 * away[i]);
      const long = Math.hypot(...light);
      eye = { across, away, upright, up, light: light.map(c => c / long), tilt: se };
    }

    // A place of the world on the canvas, and how far it is from the eye.
    function project(p) {
      if (flat) return [(p[0] - low[0]) * scale, canvas.height - (p[1] - low[1]) * scale, 0];
      const d = sub(p, middle), away = dot(d, eye.away);
      // As through a long lens: what is nearer is a little larger.
      const near = 1 / (1 + 0.28 * away / diagonal);
      return [canvas.width / 2 + dot(d, eye.across) * scale * near, canvas.height / 2 - dot(d, eye.upright) * scale * near, away, near];
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
      look();
      scale = flat ? canvas.width / size[0] : fitting();
      sprites = new Map();
      draw();
    }

    // So that all corners of what is seen are on the canvas.
    function fitting() {
      scale = 1;
      let least = Infinity;
      for (let corner = 0; corner < 8; corner++) {
        const p = project([0, 1, 2].map(i => ((corner >> i) & 1 ? high[i] : low[i])));
        least = Math.min(least, 0.47 * canvas.width / Math.abs(p[0] - canvas.width / 2 || 1e-9), 0.47 * canvas.height / Math.abs(p[1] - canvas.height / 2 || 1e-9));
      }
      return least;
    }

    function trace(line) {
      line.forEach((p, i) => { const q = project(p); if (i) pen.lineTo(q[0], q[1]); else pen.moveTo(q[0], q[1]); });
    }

    // A shaded ball, drawn once for each colour and size.
    function sprite(colour, radius, stripe) {
      const key = (stripe ? "s" : "") + colour + " " + radius.toFixed(1);
      if (sprites.has(key)) return sprites.get(key);
      if (sprites.size > 4000) sprites = new Map();
      const half = Math.ceil(radius) + 1, image = document.createElement("canvas");
      image.width = image.height = 2 * half;
      const brush = image.getContext("2d");
      brush.beginPath(); brush.arc(half, half, radius, 0, 2 * Math.PI); brush.fillStyle = stripe ? "#faf8f2" : colour; brush.fill();
      if (stripe) { brush.save(); brush.clip(); brush.fillStyle = colour; brush.fillRect(0, half - 0.55 * radius, 2 * half, 1.1 * radius); brush.restore(); }
      const light = brush.createRadialGradient(half - 0.35 * radius, half - 0.4 * radius, 0.05 * radius, half, half, radius);
      light.addColorStop(0, "rgba(255,255,255,.5)"); light.addColorStop(0.45, "rgba(255,255,255,0)"); light.addColorStop(0.6, "rgba(0,0,0,0)"); light.addColorStop(1, "rgba(0,0,0,.42)");
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

    // A face in the light, unless it looks the other way.
    function face(corners, colour, thin) {
      let normal = null;
      for (let i = 2; i < corners.length && !normal; i++) {
        const n = cross(sub(corners[1], corners[0]), sub(corners[i], corners[0])), long = Math.hypot(...n);
        if (long > 0) normal = n.map(c => c / long);
      }
      if (!normal) return;
      const facing = dot(normal, eye.away) < 0;
      if (!facing && !thin) return;
      if (!facing) normal = normal.map(c => -c);
      const bright = 0.62 + 0.1 * dot(normal, eye.up) + 0.38 * Math.max(0, dot(normal, eye.light));
      const own = bright > 1 ? mix(colour, "#ffffff", Math.min(0.35, bright - 1)) : mix(colour, "#000000", 1 - bright);
      pen.beginPath(); trace(corners); pen.closePath();
      pen.fillStyle = own; pen.fill(); pen.strokeStyle = own; pen.lineWidth = 0.7; pen.stroke();
    }

    // The corners of the convex hull of points, counter-clockwise.
    function hull(points) {
      points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      const half = list => {
        const chain = [];
        for (const p of list) {
          while (chain.length > 1) {
            const [a, b] = chain.slice(-2);
            if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
            chain.pop();
          }
          chain.push(p);
        }
        chain.pop();
        return chain;
      };
      return half(points).concat(half(points.slice().reverse()));
    }

    function scenery(ratio) {
      const solids = [];
      const walls = flat ? data.scenery : data.scenery.filter(thing => {
        if (thing.m) solids.push(thing);
        return !thing.m;
      });
      for (const thing of walls) {
        const wall = thing.k || colours.wall;
        if (thing.o) { hollow(thing, wall); continue; }
        if (thing.w && !thing.thin && dot(thing.w, eye.away) > 0) continue;
        pen.beginPath(); thing.l.forEach(trace);
        if (thing.w) {
          const bright = 0.82 + 0.04 * dot(thing.w, eye.up) + 0.2 * Math.max(0, dot(thing.w, eye.light));
          const pale = thing.k || mix(colours.paper, colours.wall, dark.matches ? 0.45 : 0.28);
          pen.fillStyle = mix(pale, "#000000", Math.max(0, 1 - bright)); pen.fill();
        } else if (thing.f) {
          pen.globalAlpha = thing.k ? 1 : 0.25; pen.fillStyle = wall; pen.fill(); pen.globalAlpha = 1;
        }
        if (thing.e === false) continue;
        pen.strokeStyle = thing.k ? mix(wall, "#000000", 0.3) : colours.wall; pen.lineWidth = (flat ? 1.6 : 1) * ratio;
        pen.setLineDash(thing.s ? [5 * ratio, 4 * ratio] : []); pen.stroke(); pen.setLineDash([]);
        if (thing.n) written(thing.n, project(thing.c), 0.6 * thing.h * scale, thing.k && lightness(thing.k) < 0.55 ? "#fafafa" : colours.text);
      }
      return solids;
    }

    // The far side of the inside of a sphere.
    function hollow(thing, wall) {
      const [x, y] = project(thing.o), r = thing.r * scale;
      const pale = mix(colours.paper, wall, dark.matches ? 0.45 : 0.28);
      const light = pen.createRadialGradient(x - 0.2 * r, y + 0.35 * r, 0.1 * r, x, y, r);
      light.addColorStop(0, mix(pale, "#ffffff", 0.35)); light.addColorStop(1, mix(pale, "#000000", 0.18));
      pen.beginPath(); pen.arc(x, y, r, 0, 2 * Math.PI); pen.fillStyle = light; pen.fill();
    }

    // Below a body, on the floor.
    function shadow(p, reach) {
      const { floor, up } = data.frame;
      if (!floor || eye.tilt <= 0.02) return;
      const height = dot(sub(p, floor), up);
      if (height < 0) return;
      const foot = p.map((c, i) => c - height * up[i]), [x, y, , near] = project(foot), r = reach * scale * near;
      pen.beginPath(); pen.ellipse(x, y, r, r * Math.abs(eye.tilt), 0, 0, 2 * Math.PI);
      pen.globalAlpha = 0.3 * Math.exp(-height / (5 * reach)); pen.fillStyle = "#000000"; pen.fill(); pen.globalAlpha = 1;
    }

    function ownColour(who) {
      if (who.k) return who.k;
      if (who.w) return mix(colours.paper, colours.wall, 0.45);
      return who.c === undefined ? mix(colours.wall, colours.series[0], 0.5) : colours.series[who.c];
    }

    function solid(who, body, frame, p, ratio) {
      const shape = data.shapes[who.f], own = ownColour(who);
      const put = q => turned(body, frame, q).map((c, i) => c + p[i]);
      if (!flat && shape.f) {
        shape.f.forEach(corners => face(corners.map(put), own, false));
        if (shape.p) shape.p.forEach(corners => face(corners.map(put), lightness(own) > 0.55 ? "#1a1a1a" : "#fafafa", false));
        return;
      }
      pen.beginPath();
      if (!flat) {
        hull(shape.l.flat().map(q => project(put(q)))).forEach((q, i) => (i ? pen.lineTo(q[0], q[1]) : pen.moveTo(q[0], q[1])));
        pen.closePath(); pen.fillStyle = own; pen.fill(); pen.beginPath();
      }
      shape.l.forEach(line => trace(line.map(put)));
      if (flat && shape.solid) {
        pen.globalAlpha = who.w ? 1 : who.c === undefined ? 0.45 : 0.92; pen.fillStyle = own; pen.fill(); pen.globalAlpha = 1;
        if (who.c === undefined && !who.w) stripes(put, own, ratio);
        pen.beginPath(); shape.l.forEach(line => trace(line.map(put)));
      }
      pen.strokeStyle = mix(own, "#000000", flat ? 0.35 : 0.25); pen.lineWidth = (flat ? 1.2 : 1) * ratio; if (who.c === undefined) pen.lineWidth = 2 * ratio;
      pen.stroke();
      if (flat && who.n) written(who.n, project(p), 0.5 * Math.max(...shape.l.flat().map(q => Math.hypot(...q))) * scale, lightness(own) > 0.55 ? "#1a1a1a" : "#fafafa");
    }

    // What moves by prescription is striped, and its stripes move with it.
    function stripes(put, own, ratio) {
      const apart = (11 * ratio) / scale, far = Math.ceil(1.5 * diagonal / apart), [c, s] = [Math.cos(0.9), Math.sin(0.9)];
      pen.save(); pen.clip(); pen.beginPath();
      for (let n = -far; n <= far; n++) {
        const ends = [-2, 2].map(end => put([end * diagonal * c - n * apart * s, end * diagonal * s + n * apart * c]));
        trace(ends);
      }
      pen.strokeStyle = own; pen.lineWidth = 1.3 * ratio; pen.stroke(); pen.restore();
    }

    function written(text, [x, y], size, colour) {
      if (size < 4) return;
      pen.font = size.toFixed(1) + "px " + getComputedStyle(document.body).fontFamily; pen.textAlign = "center"; pen.textBaseline = "middle";
      pen.fillStyle = colour; pen.fillText(text, x, y + 0.06 * size);
    }

    function ball(who, body, frame, [x, y, , near], ratio) {
      const radius = Math.max(who.r * scale * (near || 1), (N <= 100 ? 1.6 : 0.8) * ratio), colour = ownColour(who);
      if (!flat && radius > 2) {
        const { image, half } = sprite(colour, radius, who.s);
        pen.drawImage(image, x - half, y - half);
      } else {
        pen.beginPath(); pen.arc(x, y, radius, 0, 2 * Math.PI); pen.fillStyle = mix(colour, "#000000", 0.35); pen.fill();
        pen.beginPath(); pen.arc(x, y, 0.92 * radius, 0, 2 * Math.PI); pen.fillStyle = who.s ? "#faf8f2" : colour; pen.fill();
      }
      if (flat && who.s && radius > 3 * ratio) band(body, frame, x, y, 0.92 * radius, colour);
      if (who.n && radius > 4 * ratio) {
        pen.beginPath(); pen.arc(x, y, 0.52 * radius, 0, 2 * Math.PI); pen.fillStyle = "#faf8f2"; pen.fill();
        written(who.n, [x, y], 0.72 * radius, "#1a1a1a");
      } else if (flat && turns.length && radius > 4 * ratio && !who.s) {
        const end = turned(body, frame, [0.85 * radius, 0]);
        pen.beginPath(); pen.moveTo(x, y); pen.lineTo(x + end[0], y - end[1]);
        pen.strokeStyle = mix(colour, "#ffffff", 0.75); pen.lineWidth = Math.max(1.2 * ratio, 0.12 * radius); pen.stroke();
      }
    }

    // The stripe of a ball, across it.
    function band(body, frame, x, y, radius, colour) {
      const along = turned(body, frame, [1, 0]), angle = Math.atan2(-along[1], along[0]);
      pen.beginPath(); pen.arc(x, y, radius, angle - 0.58, angle + 0.58); pen.arc(x, y, radius, angle + Math.PI - 0.58, angle + Math.PI + 0.58); pen.closePath();
      pen.fillStyle = colour; pen.fill();
    }

    // The picture at or just before a time; of those at one instant the last.
    function frameAt(time) {
      let [from, to] = [0, F - 1];
      while (from < to) {
        const half = (from + to + 1) >> 1;
        if (data.times[half] <= time) from = half; else to = half - 1;
      }
      return from + 1 < F && data.times[from + 1] - time < time - data.times[from] ? from + 1 : from;
    }

    function draw() {
      const frame = frameAt(now), ratio = window.devicePixelRatio || 1;
      colours = dark.matches ? data.dark : data.light;
      if (!flat) look();
      pen.fillStyle = colours.paper; pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.lineJoin = "round";
      const order = scenery(ratio).map(thing => [project(thing.m), -1, thing]);
      for (let body = 0; body < N; body++) {
        if (absent(frame, body)) continue;
        const p = []; for (let axis = 0; axis < D; axis++) p.push(place(frame, body, axis));
        order.push([project(p), body, p]);
      }
      if (!flat) {
        order.sort((a, b) => b[0][2] - a[0][2]);
        if (order.length <= 600) for (const [, body, p] of order) if (body >= 0 && data.cast[body].c !== undefined) shadow(p, data.cast[body].r || reach(data.cast[body]));
      }
      // In 2-D joints are over what has edges, and below balls.
      if (flat) {
        order.sort((a, b) => (data.cast[a[1]].r !== undefined) - (data.cast[b[1]].r !== undefined));
        const balls = order.findIndex(([, body]) => data.cast[body].r !== undefined);
        if (balls >= 0) order.splice(balls, 0, null); else order.push(null);
      }
      for (const one of order) {
        if (!one) { joints(frame, ratio); continue; }
        const [q, body, p] = one;
        if (body < 0) fixed(q, p, ratio);
        else if (data.cast[body].r === undefined) solid(data.cast[body], body, frame, p, ratio);
        else ball(data.cast[body], body, frame, q, ratio);
      }
      if (!flat) joints(frame, ratio);
      if (event) mark(frame, ratio);
      scrub.value = now;
      clock.textContent = "t = " + data.times[frame].toPrecision(5) + " s";
      cursors.forEach(move => move(now));
    }

    // A rod as a line, a spring as a zigzag, a hinge as a pin.
    function joints(frame, ratio) {
      const thick = 1.6 * ratio;
      pen.strokeStyle = colours.text; pen.lineWidth = thick;
      for (const joint of data.joints) {
        if (joint.e.some(end => end.b !== null && absent(frame, end.b))) continue;
        const ends = joint.e.map(end => end.b === null ? end.p : turned(end.b, frame, end.p).map((c, i) => c + place(frame, end.b, i)));
        if (joint.k === 0) {
          const [x, y] = project(ends[0]);
          pen.beginPath(); pen.arc(x, y, 2.2 * thick, 0, 2 * Math.PI); pen.fillStyle = colours.paper; pen.fill(); pen.stroke();
          continue;
        }
        const apart = ends[1].map((c, i) => c - ends[0][i]), long = Math.hypot(...apart), cut = joint.e.map(end => end.r);
        if (!(long > cut[0] + cut[1])) continue;
        const at = part => project(ends[0].map((c, i) => c + part * apart[i]));
        const a = at(cut[0] / long), b = at(1 - cut[1] / long), d = [b[0] - a[0], b[1] - a[1]], wide = 5 * thick / Math.max(Math.hypot(...d), 1e-9);
        const off = (part, side) => [a[0] + part * d[0] - side * wide * d[1], a[1] + part * d[1] + side * wide * d[0]];
        pen.beginPath(); pen.moveTo(a[0], a[1]);
        if (joint.k === 2) {
          pen.lineTo(...off(0.1, 0));
          for (let turn = 0; turn < 16; turn++) pen.lineTo(...off(0.1 + 0.8 * (turn + 0.5) / 16, turn % 2 ? -1 : 1));
          pen.lineTo(...off(0.9, 0));
        }
        pen.lineTo(b[0], b[1]); pen.stroke();
        joint.e.forEach((end, side) => {
          if (end.b !== null) return;
          const [x, y] = side ? b : a;
          pen.beginPath(); pen.arc(x, y, 1.6 * thick, 0, 2 * Math.PI); pen.fillStyle = colours.text; pen.fill();
        });
      }
    }

    function reach(who) {
      const shape = data.shapes[who.f];
      if (shape.reach === undefined) shape.reach = 0.8 * Math.max(...shape.l.flat().map(q => Math.hypot(...q)));
      return shape.reach;
    }

    function fixed(q, thing, ratio) {
      const own = thing.k || mix(colours.paper, colours.wall, 0.72);
      if (thing.r !== undefined) {
        const { image, half } = sprite(own, Math.max(1, thing.r * scale * q[3]));
        pen.drawImage(image, q[0] - half, q[1] - half);
      } else thing.b.forEach(corners => face(corners, own, thing.thin));
      // Of what has faces the edges behind would show through.
      if (thing.l.length && (thing.thin || !thing.b)) { pen.beginPath(); thing.l.forEach(trace); pen.strokeStyle = colours.wall; pen.lineWidth = 0.6 * ratio; pen.globalAlpha = 0.5; pen.stroke(); pen.globalAlpha = 1; }
    }

    // The event that was clicked: rings about its bodies, where it was, and the impulse on both.
    function mark(frame, ratio) {
      if (Math.abs(data.times[frame] - event.time) > 1e-9 * (1 + Math.abs(event.time)) + 0.51 * end / F) return;
      pen.lineWidth = 2.2 * ratio; pen.strokeStyle = colours.series[4];
      for (const id of event.pair) {
        const body = members.get(id);
        if (body === undefined || absent(frame, body)) continue;
        const p = []; for (let axis = 0; axis < D; axis++) p.push(place(frame, body, axis));
        const [x, y, , near] = project(p), who = data.cast[body];
        const r = (who.r === undefined ? (flat ? 0 : reach(who)) : who.r) * scale * (near || 1);
        if (r > 0) { pen.beginPath(); pen.arc(x, y, r + 4 * ratio, 0, 2 * Math.PI); pen.stroke(); }
      }
      if (!event.place) return;
      const [x, y] = project(event.place), long = Math.hypot(...event.push);
      if (long > 0) for (const side of [1, -1]) {
        const to = project(event.place.map((c, i) => c + (side * 0.08 * diagonal * event.push[i]) / long));
        arrow(x, y, to[0], to[1], ratio);
      }
      pen.beginPath(); pen.arc(x, y, 3.2 * ratio, 0, 2 * Math.PI); pen.fillStyle = colours.text; pen.fill();
    }
    function arrow(x, y, u, v, ratio) {
      const long = Math.hypot(u - x, v - y), dx = (u - x) / long, dy = (v - y) / long, head = 9 * ratio;
      if (!(long > 0)) return;
      pen.strokeStyle = pen.fillStyle = colours.series[1]; pen.lineWidth = 2.6 * ratio;
      pen.beginPath(); pen.moveTo(x, y); pen.lineTo(u - dx * head, v - dy * head); pen.stroke();
      pen.beginPath(); pen.moveTo(u, v); pen.lineTo(u - dx * head - 0.5 * dy * head, v - dy * head + 0.5 * dx * head); pen.lineTo(u - dx * head + 0.5 * dy * head, v - dy * head - 0.5 * dx * head); pen.fill();
    }

    function tick(at) {
      if (!playing) return;
      now += (Math.min(0.25, (at - before) / 1000) * end * Number(speed.value)) / data.seconds;
      before = at;
      if (now >= end) { now = end; stop(); }
      draw();
      if (playing) requestAnimationFrame(tick);
    }
    function stop() { playing = false; play.textContent = "Play"; }
    function start() {
      if (now >= end) now = 0;
      event = null; playing = true; play.textContent = "Pause"; before = performance.now();
      requestAnimationFrame(tick);
    }
    function go(time, what) {
      stop(); event = what || null; now = Math.min(end, Math.max(0, time)); draw();
    }
    play.addEventListener("click", () => (playing ? stop() : start()));
    scrub.max = end;
    scrub.addEventListener("input", () => go(Number(scrub.value)));
    canvas.addEventListener("keydown", key => {
      if (key.key === " ") { key.preventDefault(); playing ? stop() : start(); }
      if (key.key === "ArrowRight" || key.key === "ArrowLeft") {
        key.preventDefault();
        go(data.times[Math.min(F - 1, Math.max(0, frameAt(now) + (key.key === "ArrowRight" ? 1 : -1)))]);
      }
    });
    if (!flat) {
      let held = null;
      canvas.style.cursor = "grab";
      canvas.addEventListener("pointerdown", at => { held = [at.clientX, at.clientY]; canvas.setPointerCapture(at.pointerId); });
      canvas.addEventListener("pointermove", at => {
        if (!held) return;
        view.azimuth -= (at.clientX - held[0]) / 150;
        view.elevation = Math.min(1.57, Math.max(-1.57, view.elevation + (at.clientY - held[1]) / 150));
        held = [at.clientX, at.clientY]; draw();
      });
      canvas.addEventListener("pointerup", () => { held = null; });
    }
    const cursors = Array.from(document.querySelectorAll("rect.time")).map(rect => timed(rect, go));
    dark.addEventListener("change", () => { sprites = new Map(); draw(); });
    window.addEventListener("resize", resize);
    box.hidden = false;
    resize();
    return { go, box };
  }

  // A plot over time: a line where the picture is, and a click goes there. What moves the line.
  function timed(rect, go) {
    const number = name => Number(rect.getAttribute(name)), [x, y, width, height] = ["x", "y", "width", "height"].map(number);
    const from = number("data-from"), to = number("data-to"), log = rect.hasAttribute("data-log");
    const line = document.createElementNS(rect.namespaceURI, "line");
    line.setAttribute("class", "cursor"); line.setAttribute("y1", y); line.setAttribute("y2", y + height);
    rect.parentNode.insertBefore(line, rect);
    rect.style.cursor = "crosshair";
    rect.addEventListener("click", at => {
      const area = rect.getBoundingClientRect(), share = (at.clientX - area.left) / area.width;
      go(log ? from * Math.pow(to / from, share) : from + share * (to - from));
    });
    return time => {
      const share = log ? Math.log(time / from) / Math.log(to / from) : (time - from) / (to - from);
      const seen = share >= 0 && share <= 1;
      line.style.display = seen ? "" : "none";
      if (seen) { line.setAttribute("x1", x + share * width); line.setAttribute("x2", x + share * width); }
    };
  }

  // A row of the table of events is a link into the picture.
  function linked(table, shown) {
    const body = table.tBodies[0];
    let chosen = null;
    const choose = row => {
      if (!row || row.dataset.t === undefined) return;
      if (chosen) chosen.classList.remove("chosen");
      chosen = row; row.classList.add("chosen");
      const list = text => (text ? text.split(" ").map(Number) : null);
      shown.go(Number(row.dataset.t), { time: Number(row.dataset.t), pair: [Number(row.dataset.a), Number(row.dataset.b)], place: list(row.dataset.p), push: list(row.dataset.i) || [] });
      const area = shown.box.getBoundingClientRect();
      if (area.bottom < 80 || area.top > window.innerHeight - 80) shown.box.scrollIntoView({ block: "start" });
    };
    Array.from(body.rows).forEach(row => { if (row.dataset.t !== undefined) row.tabIndex = 0; });
    body.addEventListener("click", at => choose(at.target.closest("tr")));
    body.addEventListener("keydown", key => {
      if (key.key === "Enter") choose(key.target.closest("tr"));
      const next = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[key.key];
      const row = next && key.target.closest("tr")[next];
      if (row && row.dataset.t !== undefined) { key.preventDefault(); row.focus(); choose(row); }
    });
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

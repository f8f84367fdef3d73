// All balls in one draw call: a square for each, on which the disc or the sphere is drawn pixel by pixel.
// Positions are the numbers of the frame, as they come from the engine.

import * as THREE from 'three';
import { rgb } from './palette';

const FLAT_VERTEX = /* glsl */ `
attribute vec2 place;
attribute float angle;
attribute vec2 velocity;
attribute float radius;
attribute vec3 tint;
uniform float pixel;
uniform float fastest;
uniform int bySpeed;
varying vec2 uv2;
varying vec3 color;
varying float pixels;
vec3 scale(float s) {
  // From slow to fast: blue, green, yellow, red, even in lightness.
  vec3 a = vec3(0.20, 0.37, 0.78), b = vec3(0.16, 0.62, 0.58), c = vec3(0.93, 0.72, 0.20), d = vec3(0.83, 0.25, 0.18);
  return s < 0.33 ? mix(a, b, s / 0.33) : s < 0.66 ? mix(b, c, (s - 0.33) / 0.33) : mix(c, d, min(1.0, (s - 0.66) / 0.34));
}
void main() {
  float shown = max(radius, radius > 0.0 ? 1.25 * pixel : 0.0);
  pixels = shown / pixel;
  float margin = 1.0 + 1.5 / max(pixels, 1.0);
  vec2 corner = position.xy * margin;
  float c = cos(angle), s = sin(angle);
  uv2 = vec2(c * corner.x + s * corner.y, c * corner.y - s * corner.x);
  color = bySpeed == 1 ? scale(clamp(length(velocity) / fastest, 0.0, 1.0)) : tint;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(place + corner * shown, 0.0, 1.0);
}`;

const FLAT_FRAGMENT = /* glsl */ `
varying vec2 uv2;
varying vec3 color;
varying float pixels;
uniform float opacity;
uniform int hollow;
void main() {
  float d = length(uv2);
  float soft = 1.2 / pixels;
  float inside = 1.0 - smoothstep(1.0 - soft, 1.0 + 0.3 * soft, d);
  if (inside <= 0.0) discard;
  vec3 shade = color;
  if (pixels > 3.0) shade *= mix(1.0, 0.72, smoothstep(1.0 - max(0.16, 2.2 / pixels), 1.0, d));
  if (pixels > 7.0) {
    // A mark that turns with the ball.
    float mark = smoothstep(0.075 + soft, 0.075, abs(uv2.y)) * step(0.35, uv2.x) * step(uv2.x, 0.86);
    float light = dot(color, vec3(0.3, 0.59, 0.11));
    shade = mix(shade, light > 0.8 ? vec3(0.75, 0.2, 0.16) : vec3(1.0), 0.75 * mark);
  }
  float alpha = inside * opacity;
  if (hollow == 1) alpha *= smoothstep(1.0 - max(0.1, 3.0 / pixels), 1.0 - max(0.05, 1.5 / pixels), d);
  gl_FragColor = vec4(shade, alpha);
}`;

const ROUND_VERTEX = /* glsl */ `
attribute vec3 place;
attribute vec4 turn;
attribute vec3 velocity;
attribute float radius;
attribute vec3 tint;
uniform float fastest;
uniform int bySpeed;
varying vec3 centre;
varying vec3 onView;
varying float size;
varying vec3 color;
varying vec4 rotation;
vec3 scale(float s) {
  vec3 a = vec3(0.20, 0.37, 0.78), b = vec3(0.16, 0.62, 0.58), c = vec3(0.93, 0.72, 0.20), d = vec3(0.83, 0.25, 0.18);
  return s < 0.33 ? mix(a, b, s / 0.33) : s < 0.66 ? mix(b, c, (s - 0.33) / 0.33) : mix(c, d, min(1.0, (s - 0.66) / 0.34));
}
void main() {
  centre = (modelViewMatrix * vec4(place, 1.0)).xyz;
  size = radius;
  rotation = turn;
  color = bySpeed == 1 ? scale(clamp(length(velocity) / fastest, 0.0, 1.0)) : tint;
  float away = max(length(centre), 1.0001 * radius);
  // The silhouette of a sphere is wider than its radius, seen from near.
  float wide = radius * away / sqrt(max(away * away - radius * radius, 1e-12));
  vec3 ahead = centre / away;
  vec3 side = normalize(cross(ahead, vec3(0.0, 1.0, 0.001)));
  vec3 up = cross(side, ahead);
  onView = centre + 1.02 * min(wide, 20.0 * radius) * (position.x * side + position.y * up);
  gl_Position = projectionMatrix * vec4(onView, 1.0);
}`;

const ROUND_FRAGMENT = /* glsl */ `
varying vec3 centre;
varying vec3 onView;
varying float size;
varying vec3 color;
varying vec4 rotation;
uniform float opacity;
uniform mat4 projection;
uniform mat3 toWorld;
uniform vec3 lightAt;
vec3 back(vec4 q, vec3 v) { return v + 2.0 * cross(-q.xyz, cross(-q.xyz, v) + q.w * v); }
void main() {
  vec3 ray = normalize(onView);
  float along = dot(ray, centre);
  float inside = along * along - dot(centre, centre) + size * size;
  if (inside < 0.0 || size <= 0.0) discard;
  vec3 hit = ray * (along - sqrt(inside));
  vec3 normal = (hit - centre) / size;
  vec4 clip = projection * vec4(hit, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
  vec3 world = toWorld * normal;
  vec3 own = back(rotation, world);
  vec3 base = color;
  // A band and a pole, so that rotation is seen.
  if (abs(own.z) < 0.1) base *= 0.72;
  if (own.x > 0.93) base = mix(base, vec3(1.0), 0.55);
  float light = 0.5 + 0.5 * dot(world, lightAt);
  float shine = pow(max(dot(reflect(-lightAt, world), toWorld * -ray), 0.0), 40.0);
  gl_FragColor = vec4(base * (0.34 + 0.74 * light) + 0.16 * shine, opacity);
}`;

/** All balls of a scene, by the numbers of their bodies; whoever is no ball has no radius. */
export class Balls {
  readonly mesh: THREE.Mesh;
  private geometry = new THREE.InstancedBufferGeometry();
  private material: THREE.ShaderMaterial;
  private buffer: THREE.InstancedInterleavedBuffer;
  private readonly stride: number;
  private capacity = 0;

  constructor(private readonly dimension: 2 | 3) {
    this.stride = dimension === 2 ? 5 : 10;
    this.material = new THREE.ShaderMaterial({
      vertexShader: dimension === 2 ? FLAT_VERTEX : ROUND_VERTEX,
      fragmentShader: dimension === 2 ? FLAT_FRAGMENT : ROUND_FRAGMENT,
      transparent: true,
      depthTest: dimension === 3,
      depthWrite: dimension === 3,
      uniforms: {
        pixel: { value: 1 },
        fastest: { value: 1 },
        bySpeed: { value: 0 },
        opacity: { value: 1 },
        hollow: { value: 0 },
        projection: { value: new THREE.Matrix4() },
        toWorld: { value: new THREE.Matrix3() },
        lightAt: { value: new THREE.Vector3(0.3, -0.5, 0.81).normalize() },
      },
    });
    const corners = new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);
    this.geometry.setAttribute('position', new THREE.BufferAttribute(corners, 3));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.buffer = this.reserve(1);
    this.mesh = new THREE.Mesh(this.geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 3;
  }

  private reserve(count: number): THREE.InstancedInterleavedBuffer {
    this.capacity = count;
    const buffer = new THREE.InstancedInterleavedBuffer(new Float32Array(count * this.stride), this.stride);
    buffer.setUsage(THREE.DynamicDrawUsage);
    const part = (size: number, from: number) => new THREE.InterleavedBufferAttribute(buffer, size, from);
    if (this.dimension === 2) {
      this.geometry.setAttribute('place', part(2, 0));
      this.geometry.setAttribute('angle', part(1, 2));
      this.geometry.setAttribute('velocity', part(2, 3));
    } else {
      this.geometry.setAttribute('place', part(3, 0));
      this.geometry.setAttribute('turn', part(4, 3));
      this.geometry.setAttribute('velocity', part(3, 7));
    }
    return buffer;
  }

  /** Radii (m, zero for whoever is no ball) and colours, by number. */
  set(radii: Float32Array, colors: string[]): void {
    const count = Math.max(1, radii.length);
    this.geometry.dispose();
    this.buffer = this.reserve(count);
    const tints = new Float32Array(count * 3);
    colors.forEach((color, i) => tints.set(rgb(color), 3 * i));
    const sized = new Float32Array(count);
    sized.set(radii);
    this.geometry.setAttribute('radius', new THREE.InstancedBufferAttribute(sized, 1));
    this.geometry.setAttribute('tint', new THREE.InstancedBufferAttribute(tints, 3));
    this.geometry.instanceCount = 0;
  }

  /** The states of a frame. */
  frame(numbers: Float32Array): void {
    const count = Math.min(this.capacity, Math.floor(numbers.length / this.stride));
    const array = this.buffer.array as Float32Array;
    array.set(count * this.stride === numbers.length ? numbers : numbers.subarray(0, count * this.stride));
    // Whoever is not there is far away.
    for (let i = 0; i < count * this.stride; i += this.stride) {
      if (Number.isNaN(array[i])) array.fill(1e12, i, i + 2);
    }
    this.buffer.needsUpdate = true;
    this.geometry.instanceCount = count;
  }

  look(options: { bySpeed?: boolean; fastest?: number; opacity?: number; hollow?: boolean }): void {
    const { uniforms } = this.material;
    if (options.bySpeed !== undefined) uniforms.bySpeed!.value = options.bySpeed ? 1 : 0;
    if (options.fastest !== undefined) uniforms.fastest!.value = options.fastest;
    if (options.opacity !== undefined) uniforms.opacity!.value = options.opacity;
    if (options.hollow !== undefined) uniforms.hollow!.value = options.hollow ? 1 : 0;
  }

  /** Before drawing: the camera, and the width of a pixel in metres (2-D). */
  prepare(camera: THREE.Camera, pixel: number): void {
    const { uniforms } = this.material;
    uniforms.pixel!.value = pixel;
    (uniforms.projection!.value as THREE.Matrix4).copy(camera.projectionMatrix);
    (uniforms.toWorld!.value as THREE.Matrix3).setFromMatrix4(camera.matrixWorld);
  }

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }
}

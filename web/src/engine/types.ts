// What the engine answers, in SI units.

export type Vector = number[];

/** Something that is wrong with a scene. */
export interface Problem {
  message: string;
  label: string;
  help: string | null;
  /** Bytes of the text. */
  from: number | null;
  to: number | null;
  line: number | null;
  column: number | null;
}

/** What a scene is, before it runs. */
export interface Facts {
  title: string;
  dimension: 2 | 3;
  bodies: number;
  until: number;
  max_collisions: number | null;
  rest: number | null;
  method: 'events' | 'forces';
  seed: number;
  notes: string[];
  variables: [string, number[]][];
  samples: string[];
}

export interface Part {
  corners?: Vector[];
  faces?: number[][];
  rounding?: number;
  thin?: boolean;
  centre?: Vector;
  axis?: Vector;
  half?: number;
  radius?: number;
}

/** A shape in the body's own frame. */
export type Form =
  | { kind: 'ball'; radius: number }
  | { kind: 'hollow'; radius: number }
  | { kind: 'wall'; normal: Vector; bare: boolean }
  | { kind: 'box'; half: Vector }
  | { kind: 'line'; points: Vector[] }
  | { kind: 'tube'; axis: Vector; radius: number }
  | { kind: 'parts'; parts: Part[] }
  | { kind: 'none' };

export interface Body {
  id: number;
  name: string;
  shape: string;
  form: Form;
  material: string;
  motion: 'free' | 'static' | 'kinematic';
  sensor: boolean;
  radius: number | null;
  mass: number | null;
  inertia: number | null;
  /** As the scene wants it to be shown. */
  color?: string | null;
  label?: string | null;
  /** Where it is, if it does not move. */
  stands?: { position: Vector; orientation: Vector } | null;
  /** Whether it is still to come. */
  waits?: boolean;
}

export interface BodyState {
  id: number;
  time: number;
  position: Vector;
  orientation: Vector;
  velocity: Vector;
  angular_velocity: Vector;
  /** Of a free body, kg. */
  mass: number | null;
}

export interface Motion {
  velocity: Vector;
  angular_velocity: Vector;
}

export interface Collision {
  number: number;
  time: number;
  a: number;
  b: number;
  point: Vector;
  normal: Vector;
  impulse: Vector;
  mode: string;
  before: [Motion, Motion];
  after: [Motion, Motion];
  energy_lost: number;
  lost_to_friction: number;
  gap: number;
  approach_speed: number;
  duration: number;
  words: { title: string; rows: [string, string][] } | null;
}

export interface Status {
  ahead: number;
  until: number;
  ended: string | null;
  failed: string | null;
  events: number;
  seen: number;
  collisions: number;
  time: number;
  view_collisions: number;
  resting: number;
  scores: [string, number][];
  warnings: string[];
  edits: number;
  extent: [Vector, Vector];
}

export interface Energy {
  translational: number;
  rotational: number;
  potential: number;
  total: number;
}

export interface Budget {
  time: number;
  initial: Energy;
  now: Energy;
  lost: Record<string, number>;
  added: Record<string, number>;
  in_contact: number;
  residual: number;
  scale: number;
  momentum: Vector;
  momentum_residual: Vector;
}

export interface MaterialFacts {
  name: string;
  restitution: number;
  static_friction: number;
  kinetic_friction: number;
  rolling_resistance: number;
}

/** A joint: its ends by body (null for the world) and where in the body's frame. */
export interface JointFacts {
  kind: 'hinge' | 'distance' | 'spring';
  ends: { body: number | null; at: Vector }[];
}

export interface Surroundings {
  air: { linear: number; quadratic: number; wind: Vector };
  gravity: Vector;
  periods: Vector;
  materials: MaterialFacts[];
  fields: string[];
  joints?: JointFacts[];
  keys?: string[];
}

/** A change as the engine takes it. */
export type Change = { kind: string } & Record<string, unknown>;

export interface MadeChange {
  time: number;
  edit: Change;
}

export interface SceneSource {
  name: string;
  text: string;
  /** Tables and meshes that the scene reads, by name. */
  files: [string, string][];
  method?: 'events' | 'forces' | null;
  set?: [string, string][];
}

/** Kinds of events, by their number. */
export const KINDS = ['collision', 'entered', 'left', 'transition', 'released', 'edited', 'action'] as const;
export const COLLISION = 0;
export const EDITED = 5;
export const ACTION = 6;
/** Numbers of an event's row: time, kind, a, b, number, size of the impulse. */
export const EVENT_ROW = 6;

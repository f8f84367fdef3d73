// The sample scenes, as tools/scenes.ts has put them together.

import list from './generated/scenes.json';

export interface Sample {
  name: string;
  title: string;
  summary: string;
  dimension: number;
  bodies: number;
  method: string;
  text: string;
  files: [string, string][];
}

export const scenes = list as unknown as Sample[];

export function sample(name: string): Sample | undefined {
  return scenes.find((scene) => scene.name === name);
}

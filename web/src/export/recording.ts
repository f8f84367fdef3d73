// The states of all bodies at equal times, with the digits that the engine has.

import type { Session } from '../player/session';
import type { Column, Table } from './table';

const AXES = ['x', 'y', 'z'];

/** More numbers than this do not fit into a page. */
const MOST = 30_000_000;

export async function record(session: Session, frames: number, told: (done: number) => void): Promise<Table> {
  const { client, facts } = session;
  if (!facts) throw new Error('no scene');
  const flat = facts.dimension === 2;
  const axes = AXES.slice(0, facts.dimension);
  const turns = flat ? ['angle'] : ['orientation_x', 'orientation_y', 'orientation_z', 'orientation_w'];
  const spins = flat ? ['angular_velocity'] : axes.map((axis) => `angular_velocity_${axis}`);
  const names = ['body', ...axes, ...turns, ...axes.map((axis) => `velocity_${axis}`), ...spins];
  if (frames * facts.bodies * names.length > MOST) throw new Error('that is too much for a page: fewer states, or carom run --out');
  const columns: Column[] = [
    { name: 'frame', kind: 'integer', values: [] },
    { name: 'time', kind: 'number', values: [] },
    ...names.map((name): Column => ({ name, kind: name === 'body' ? 'integer' : 'number', values: [] })),
  ];
  const end = session.ahead;
  let rows = 0;
  for (let frame = 0; frame <= frames; frame++) {
    const time = frame === frames ? end : (end * frame) / frames;
    client.frame(time);
    const numbers = await client.states();
    for (let at = 0; at < numbers.length; at += names.length) {
      columns[0]!.values.push(frame);
      columns[1]!.values.push(time);
      for (let k = 0; k < names.length; k++) columns[k + 2]!.values.push(numbers[at + k]!);
      rows += 1;
    }
    if (frame % 10 === 0) told(frame);
  }
  return { rows, columns };
}

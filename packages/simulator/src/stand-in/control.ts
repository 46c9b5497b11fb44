import { badControl, notFound, type StandInAnswer } from './answer.ts';
import { DURATION_MS_MAX, isDuration } from './durations.ts';
import { membersOf } from './members.ts';
import type { StandInBooks } from './open-books.ts';

/** Request to the control surface, which the real service does not have. */
export interface ControlCall {
  readonly method: string;
  /** Path after `/control`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** One operation of a control surface. `run` is called inside a commit. */
export interface ControlRoute<Services> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: RegExp;
  run(services: Services, call: ControlCall, part: string): StandInAnswer;
}

/** Parts of a stand-in that its clock needs. */
export interface ClockServices {
  readonly books: StandInBooks;
  /** Milliseconds since 1970, with the clock's offset. */
  readonly now: () => number;
}

/** Serves a control surface: the clock, and the processor's own operations. */
export function serveControl<Services extends ClockServices>(
  routes: readonly ControlRoute<Services>[],
  services: Services,
  call: ControlCall,
): StandInAnswer {
  if (call.method === 'POST' && call.path === '/clock') return advanceClock(services, call);
  for (const route of routes) {
    const match = route.method === call.method ? route.path.exec(call.path) : null;
    if (match) return route.run(services, call, match[1] ?? '');
  }
  return notFound;
}

/** `POST /control/clock {advance_ms}`: moves the clock forward. */
function advanceClock({ books, now }: ClockServices, { body }: ControlCall): StandInAnswer {
  const { advance_ms } = membersOf(body);
  if (!isDuration(advance_ms))
    return badControl(`advance_ms must be milliseconds from 0 to ${DURATION_MS_MAX}.`);
  books.advanceClock(Math.floor(advance_ms));
  return { status: 200, body: { now: new Date(now()).toISOString() } };
}

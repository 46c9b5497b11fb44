import { problem } from '@florin/contract/errors.ts';

/** Where a record with a life of its own stands. */
export interface Standing {
  /** What it is, in words: `payment demand`. */
  readonly noun: string;
  readonly state: string;
  /** The operations that it takes in this state. */
  readonly actions: readonly string[];
}

/** The 405 that names the state and what is possible in it. */
export function wrongState(
  { noun, state, actions }: Standing,
  asked: string,
  now = possibleNow(actions),
): Error {
  return problem(
    'invalid_state',
    `This ${noun} is ${state}, which does not allow ${asked}. ${now}`,
    undefined,
    { meta: { allowed_actions: actions, state }, headers: { allow: 'GET, HEAD, OPTIONS' } },
  );
}

const possibleNow = (actions: readonly string[]): string =>
  actions.length > 0
    ? `Possible now: ${actions.join(', ')}.`
    : 'No action is possible in this state.';

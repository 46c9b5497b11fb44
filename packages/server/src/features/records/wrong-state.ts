import { problem } from '@florin/contract/errors.ts';

/** State of a record that has a state machine. */
export interface RecordState {
  /** Type in words, such as `payment demand`. */
  readonly noun: string;
  readonly state: string;
  /** Actions that this state allows. */
  readonly actions: readonly string[];
}

/** Error 405 that names the state and the actions that it allows. */
export function wrongState(
  { noun, state, actions }: RecordState,
  action: string,
  now = possibleNow(actions),
): Error {
  return problem(
    'invalid_state',
    `This ${noun} is ${state}, which does not allow ${action}. ${now}`,
    undefined,
    { meta: { allowed_actions: actions, state }, headers: { allow: 'GET, HEAD, OPTIONS' } },
  );
}

const possibleNow = (actions: readonly string[]): string =>
  actions.length > 0
    ? `Possible now: ${actions.join(', ')}.`
    : 'No action is possible in this state.';

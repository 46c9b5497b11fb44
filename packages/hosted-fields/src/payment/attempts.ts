import { ABANDON_GRACE_MS, ABANDONED } from '@florin/contract/protocol/frame.ts';
import { type Outcome, timeoutOutcome } from './outcome.ts';

type Verify = (signal: AbortSignal) => Promise<Outcome>;

export interface AttemptsOptions {
  /** Verification of an attempt unless the attempt brings its own. */
  readonly verify: Verify;
  /** Asks the server to abandon the running verification. Resolves to its outcome if that is known. */
  abandon(): Promise<Outcome | undefined>;
  /** Called once per attempt. `id` is the page's request id; undefined if the form began the attempt. */
  onOutcome(outcome: Outcome, id: number | undefined): void;
  readonly grace_ms?: number;
}

interface Attempt {
  id: number | undefined;
  readonly abandon: () => void;
}

/** Runs one verification at a time. Requests during a verification share its outcome. */
export function createAttempts({
  verify,
  abandon,
  onOutcome,
  grace_ms = ABANDON_GRACE_MS,
}: AttemptsOptions) {
  let current: Attempt | undefined;

  async function run(id: number | undefined, work: Verify): Promise<void> {
    const controller = new AbortController();
    let end: (outcome: Outcome) => void = () => {};
    const ended = new Promise<Outcome>((resolve) => {
      end = resolve;
    });
    const attempt: Attempt = {
      id,
      abandon() {
        void abandon().then((truth) => truth && end(truth));
        setTimeout(() => end(timeoutOutcome), grace_ms);
      },
    };
    current = attempt;
    const outcome = await Promise.race([work(controller.signal), ended]);
    current = undefined;
    controller.abort();
    onOutcome(outcome.detail.code === ABANDONED ? timeoutOutcome : outcome, attempt.id);
  }

  return {
    start(id?: number, work: Verify = verify): void {
      if (!current) void run(id, work);
      else if (id !== undefined) current.id = id;
    },
    /**
     * Abandons the attempt of this request. If it is too late to abandon, the real outcome follows within the grace
     * period.
     */
    cancel(id: number): void {
      if (current?.id === id) current.abandon();
    },
  };
}

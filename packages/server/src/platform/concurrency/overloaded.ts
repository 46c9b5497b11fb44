/** A limit of this process that a request exceeded. */
export interface ExceededLimit {
  /** `waiting`: all owners; `wait_ms`: the longest wait; `files`: files in memory, all owners. */
  readonly limit: 'waiting' | 'waiting_per_owner' | 'wait_ms' | 'files' | 'files_per_owner';
  readonly max: number;
  /** Waiting requests of the refused owner, who has the most; absent without owners. */
  readonly of_owner?: number;
}

/** The queue is full, or the caller waited too long. The API answers 503. */
export class OverloadedError extends Error {
  override name = 'OverloadedError';
  readonly exceeded: ExceededLimit;

  constructor(exceeded: ExceededLimit) {
    super(`limit exceeded: ${exceeded.limit}, at most ${exceeded.max}`);
    this.exceeded = exceeded;
  }
}

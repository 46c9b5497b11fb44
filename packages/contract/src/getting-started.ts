/** Steps of a new merchant, in the order of the checklist. */
export const startSteps = [
  'payment',
  'key',
  'webhook',
  'brand',
  'team',
  'application',
  'processor',
] as const;
export type StartStep = (typeof startSteps)[number];

/** A step that the member may take, and whether the merchant has taken it. */
export interface StartStepState {
  readonly step: StartStep;
  readonly done: boolean;
}

export interface GettingStarted {
  readonly steps: readonly StartStepState[];
}

import { type ProblemError, problem } from '@florin/contract/errors.ts';
import { readWhileBanned, refusals, type Standing } from '@florin/contract/standing.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';

type Standings = Pick<RequestContext, 'settings'>;

/** Throws 403 unless the merchant may charge somebody now. */
export function requireCharging({ settings }: Standings): void {
  if (settings.standing !== 'active') throw refusal(settings.standing);
}

/** Throws 403 where a banned merchant asks for more than a look at what was paid and why it is banned. */
export function refuseBanned({ settings }: Standings, asked: Asked): void {
  if (settings.standing !== 'banned') return;
  if (asked.isRead && readWhileBanned.has(asked.type)) return;
  throw refusal('banned');
}

interface Asked {
  readonly isRead: boolean;
  /** The resource type of the address. */
  readonly type: string;
}

function refusal(standing: Exclude<Standing, 'active'>): ProblemError {
  const { code, detail } = refusals[standing];
  return problem(code, detail, undefined, { meta: { standing } });
}

import { StateBadge } from '../../../parts/value/state-badge.tsx';

const REFUSED = 400;
const BROKEN = 500;

/** An HTTP status in the tone of success, refusal or failure. */
export function HttpStatus({ status }: { readonly status: number }) {
  const tone = status >= BROKEN ? 'bad' : status >= REFUSED ? 'attention' : 'good';
  return <StateBadge state={String(status)} tone={tone} />;
}

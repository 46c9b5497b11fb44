import { StateBadge } from '../../../parts/value/state-badge.tsx';

const REFUSED = 400;
const BROKEN = 500;

/** The status of an answer: whether it was good, refused or a fault. */
export function HttpStatus({ status }: { readonly status: number }) {
  const tone = status >= BROKEN ? 'bad' : status >= REFUSED ? 'attention' : 'good';
  return <StateBadge state={String(status)} tone={tone} />;
}

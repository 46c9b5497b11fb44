/** Tone of a state. The colour is always shown with the state's name. */
export type StateTone = 'good' | 'busy' | 'attention' | 'bad' | 'neutral';

const tones: Readonly<Record<Exclude<StateTone, 'neutral'>, readonly string[]>> = {
  good: [
    'succeeded',
    'active',
    'won',
    'delivered',
    'sent',
    'settled',
    'paid',
    'resolved',
    'accepted',
    'available',
    'done',
    'completed',
    'acknowledged',
    'enabled',
    'applied',
  ],
  busy: [
    'pending',
    'processing',
    'sending',
    'running',
    'advancing',
    'authorised',
    'retrying',
    'under_review',
    'reversing',
    'in_transit',
    'received',
    'waiting',
  ],
  attention: [
    'incomplete',
    'ready',
    'paused',
    'needs_response',
    'open',
    'unknown',
    'warning',
    'past_due',
    'overdue',
    'reviewed',
    'held',
    'no_processor',
    'unmatched',
    'untested',
  ],
  bad: [
    'failed',
    'disputed',
    'lost',
    'refused',
    'declined',
    'bounced',
    'quarantined',
    'banned',
    'blocked',
    'rejected',
    'revoked',
    'critical',
    'conflict',
  ],
};

export function toneOf(state: string): StateTone {
  const toneEntry = Object.entries(tones).find(([, states]) => states.includes(state));
  return (toneEntry?.[0] as StateTone | undefined) ?? 'neutral';
}

import type { PaymentActor } from '@florin/contract/payment-actors.ts';
import type { RecordOf, Resource } from '../../../api/types.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { type Translate, useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import type { TimelineEntry } from '../../../parts/record/timeline.tsx';
import { useAmountText } from '../../../parts/value/money.tsx';
import { useCardName } from '../card-name.tsx';
import { useDeclineText, useInSentence } from './decline-text.ts';
import { CreditNoteLink } from './document-link.tsx';
import type { History } from './history.ts';
import { LastInquiry } from './inquiry/last-inquiry.tsx';
import { type StoryItem, storyOf } from './story.ts';
import { entryOfDecision } from './technical-entries.tsx';

interface Facts {
  readonly payment: RecordOf<'payment_demands'>;
  readonly history: History;
  readonly actors: readonly PaymentActor[];
  readonly card: Resource | undefined;
}

/** Entries of the plain timeline: one sentence for each thing that happened. */
export function useStory({ payment, history, actors, card }: Facts): readonly TimelineEntry[] {
  const t = useTexts('payments');
  const names = useNames();
  const titleOf = useStoryTitle(payment.attributes.amount_currency, card);
  const refusal = entryOfDecision(payment, history.attempts, { t, names }).filter(
    ({ tone }) => tone === 'bad',
  );
  return [
    ...storyOf(payment, history, actors).map((item) => ({
      key: item.key,
      at: item.at,
      tone: item.tone,
      title: titleOf(item),
      children: <Details item={item} payment={payment} attempts={history.attempts} />,
    })),
    ...refusal,
  ];
}

/** Returns the sentence of an item: what happened, by whom, and why. */
function useStoryTitle(currency: string, card: Resource | undefined) {
  const t = useTexts('payments');
  const names = useNames();
  const amountText = useAmountText();
  const declineText = useDeclineText();
  const inSentence = useInSentence();
  const cardName = useCardName();
  return ({ kind, cents, reason, actor }: StoryItem): string => {
    if (kind === 'declined') return declineText(reason);
    const values = {
      amount: cents === undefined ? '' : amountText(cents, currency),
      card: card ? cardName(card) : t('story_card'),
    };
    const what = t(`story_${kind}` as 'story_paid', values);
    const who = actor && t('story_by', { what, who: actorName(actor, t) });
    const why = reason && reason !== 'custom' && inSentence(names.value(reason));
    return why ? t('story_why', { what: who ?? what, why }) : (who ?? what);
  };
}

const actorName = ({ kind, name }: PaymentActor, t: Translate<'payments'>): string => {
  if (kind === 'member') return name ?? t('actor_member');
  return name === null ? t('actor_key') : t('actor_key_named', { name });
};

interface DetailsProps extends Pick<Facts, 'payment'>, Pick<History, 'attempts'> {
  readonly item: StoryItem;
}

/** Note of a refund, origin of the payment, and links to more. */
function Details({ item, payment, attempts }: DetailsProps) {
  const t = useTexts('payments');
  const { note, record, kind } = item;
  if (kind === 'created') return <Origin payment={payment} />;
  if (!record) return null;
  const isOpen = 'final' in record.attributes && !record.attributes.final;
  return (
    <>
      {note && <div>{note}</div>}
      {kind.endsWith('_in_progress') && <div>{t('story_waits')}</div>}
      <LastInquiry attempts={attempts} about={record.id} />
      <ScopedLink underline="always" to={recordPath(record.type, record.id)}>
        {t('story_more')}
      </ScopedLink>
      {isOpen && ` · ${t('capture_not_last')}`}
      {record.type === 'refund_demands' && (
        <CreditNoteLink refund={record as RecordOf<'refund_demands'>} />
      )}
    </>
  );
}

/** Subscription or payment link that made the payment. */
function Origin({ payment: { attributes, relationships } }: Pick<Facts, 'payment'>) {
  const t = useTexts('payments');
  const names = useNames();
  const idOf = (name: string): string | undefined => {
    const target = relationships?.[name as 'payment_link']?.data;
    return target && 'id' in target ? target.id : undefined;
  };
  const [subscription, link] = [idOf('payment_subscription'), idOf('payment_link')];
  const { billing_reason } = attributes;
  const id = subscription ?? link;
  if (!id) return null;
  const type = subscription ? 'payment_subscriptions' : 'payment_links';
  return (
    <ScopedLink underline="always" to={recordPath(type, id)}>
      {subscription
        ? t('story_subscription', { reason: billing_reason ? names.value(billing_reason) : '' })
        : t('story_link')}
    </ScopedLink>
  );
}

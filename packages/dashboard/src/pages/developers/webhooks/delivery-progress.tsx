import { Alert, Group, Loader } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useNotify } from '../../../parts/feedback/notices.ts';
import { Instant } from '../../../parts/value/instant.tsx';
import { useAnswerText } from './use-answer-text.ts';

interface Props {
  readonly delivery: RecordOf<'webhook_deliveries'>;
}

/** Says that a delivery is in flight or when it is retried, and reports its result once. */
export function DeliveryProgress({ delivery }: Props) {
  const t = useTexts('developers');
  useResultNotice(delivery);
  const { status, next_attempt_at } = delivery.attributes;
  if (status !== 'pending') return null;
  const isLater = next_attempt_at !== null && Date.parse(next_attempt_at) > Date.now();
  return (
    <Alert role="status" color="blue" mb="md">
      <Group gap="sm">
        {!isLater && <Loader size="xs" />}
        {isLater ? (
          <span>
            {t('delivery_waits')} <Instant at={next_attempt_at} />
          </span>
        ) : (
          t('delivery_sending')
        )}
      </Group>
    </Alert>
  );
}

/** Reports the end of an attempt. A quick attempt ends before the page has seen the delivery as pending. */
function useResultNotice({ id, attributes }: Props['delivery']): void {
  const t = useTexts('developers');
  const notify = useNotify();
  const answerText = useAnswerText();
  const { status, attempts_count, last_response_status, last_error } = attributes;
  const before = useRef({ id, status, attempts_count });
  useEffect(() => {
    const { current } = before;
    before.current = { id, status, attempts_count };
    const wasTried = current.status === 'pending' || current.attempts_count !== attempts_count;
    if (current.id !== id || status === 'pending' || !wasTried) return;
    const answer = answerText(last_response_status ?? null, last_error ?? null);
    if (status === 'delivered') notify(t('delivery_succeeded', { answer }));
    else notify(t('delivery_failed', { answer }), 'problem');
  }, [id, status, attempts_count, last_response_status, last_error, notify, t, answerText]);
}

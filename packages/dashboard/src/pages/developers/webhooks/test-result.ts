import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { pageQuery } from '../../../api/queries.ts';
import { useScope } from '../../../api/scope.ts';
import type { RecordOf, Resource } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useNotify } from '../../../parts/feedback/notices.ts';
import { codeOf } from '../events/event-code.ts';
import { useAnswerText } from './use-answer-text.ts';

const TESTED = 'developer.webhook_subscriptions.tested';

/** Reports the first response to a test event that is sent while the page is open. */
export function useTestResult(subscription: string): void {
  const { data } = useQuery(
    pageQuery(useScope(), 'webhook_deliveries', {
      'filter[webhook_subscription]': subscription,
      sort: '-created_at',
      'page[size]': '1',
      include: 'event',
    }),
  );
  const report = useReport();
  const reported = useRef<string>(undefined);
  const newest = data?.data[0];
  const newestId = newest?.id ?? '';
  const event = data?.included?.find(({ type }) => type === 'events');
  useEffect(() => {
    if (!data) return;
    const isFirst = reported.current === undefined;
    if (reported.current === newestId) return;
    const isSent = newest !== undefined && (newest.attributes.attempts_count ?? 0) > 0;
    if (!isFirst && isTest(event) && !isSent) return;
    reported.current = newestId;
    if (!isFirst && newest && isTest(event)) report(newest);
  }, [data, newest, newestId, event, report]);
}

const isTest = (event: Resource | undefined): boolean =>
  event !== undefined && codeOf(event) === TESTED;

function useReport() {
  const t = useTexts('developers');
  const notify = useNotify();
  const answerText = useAnswerText();
  return ({ attributes }: RecordOf<'webhook_deliveries'>) => {
    const { status, last_response_status, last_error } = attributes;
    const answer = answerText(last_response_status ?? null, last_error ?? null);
    if (status === 'delivered') return notify(t('test_delivered', { answer }));
    notify(t(last_response_status ? 'test_refused' : 'test_failed', { answer }), 'problem');
  };
}

import { Stack, Text } from '@mantine/core';
import { useMe } from '../../../api/session.ts';
import type { RecordOf, Resource } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { RecordPage } from '../../../parts/record/record-page.tsx';
import { RecordView } from '../../../parts/record/record-view.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { JsonView } from '../../../parts/value/json-view.tsx';
import { CodeBlock } from '../code-block.tsx';
import { curlOf } from './curl.ts';
import { HttpStatus } from './http-status.tsx';

/** A request and its response, without secrets. */
export function RequestDetail() {
  const t = useTexts('developers');
  return (
    <RecordPage type="api_requests" title={t('request')}>
      {({ record }) => {
        const { method, path, status_code, request_body, response_body } = record.attributes;
        return (
          <>
            <PageTitle title={`${method} ${path}`} aside={<HttpStatus status={status_code} />} />
            <Stack gap="lg">
              <Body title={t('request_body')} value={request_body} />
              <Body title={t('response_body')} value={response_body} />
              <AsCurl request={record} />
              <RecordView record={record as Resource} without={['request_body', 'response_body']} />
            </Stack>
          </>
        );
      }}
    </RecordPage>
  );
}

function Body({ title, value }: { readonly title: string; readonly value: unknown }) {
  const t = useTexts('developers');
  return (
    <Section title={title}>
      {value === null ? (
        <Text size="sm">{t('body_none')}</Text>
      ) : (
        <JsonView value={value} label={t('json_of', { what: title })} />
      )}
    </Section>
  );
}

function AsCurl({ request }: { readonly request: RecordOf<'api_requests'> }) {
  const t = useTexts('developers');
  const { instance } = useMe();
  const { method, path, query, request_body, idempotency_key_sent } = request.attributes;
  const text = curlOf({
    base_url: instance.base_url,
    method,
    path,
    query,
    body: request_body,
    has_idempotency_key: idempotency_key_sent,
  });
  return (
    <Section title={t('request_curl')}>
      <Text size="sm" mb="xs">
        {t('request_curl_hint')}
      </Text>
      <CodeBlock title="curl" text={text} order={3} />
    </Section>
  );
}

import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useCreate, useDashboard } from '../../../api/queries.ts';
import { useCan, useScope } from '../../../api/scope.ts';
import { useMe } from '../../../api/session.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { CodeBlock } from '../code-block.tsx';
import { usePublishableKey } from '../keys/publishable-key.ts';
import { pageSnippet, serverSnippet } from './snippet-text.ts';

interface Sdk {
  readonly url: string;
  readonly integrity: string;
}

/** Source of a page and a server that take a payment. */
export function Snippet() {
  const t = useTexts('developers');
  const { instance } = useMe();
  const { takes_payments } = useScope();
  const sdk = useDashboard<Sdk>('sdk');
  const [key, setKey] = usePublishableKey();
  const parts = sdk.data && {
    sdk_url: sdk.data.url,
    integrity: sdk.data.integrity,
    publishable_key: key || t('snippet_no_key'),
    base_url: instance.base_url,
    closed: !takes_payments,
  };
  return (
    <>
      <PageTitle title={t('snippet')} />
      <Stack>
        {takes_payments ? (
          <Text c="dimmed" size="sm">
            {t('snippet_hint')}
          </Text>
        ) : (
          <Text size="sm">{t('snippet_closed')}</Text>
        )}
        <KeyInput value={key} onChange={setKey} />
        {sdk.error && <ProblemAlert error={sdk.error} onRetry={() => void sdk.refetch()} />}
        {sdk.isPending && <Loading />}
        {parts && (
          <>
            <CodeBlock title={t('snippet_page')} text={pageSnippet(parts)} />
            <CodeBlock title={t('snippet_server')} text={serverSnippet(parts)} />
          </>
        )}
        <Text size="sm">{t('snippet_after')}</Text>
      </Stack>
    </>
  );
}

interface KeyInputProps {
  readonly value: string;
  readonly onChange: (key: string) => void;
}

/** Input for the snippet's publishable key: created earlier in this browser, pasted, or created here. */
function KeyInput({ value, onChange }: KeyInputProps) {
  const t = useTexts('developers');
  const can = useCan();
  const create = useCreate('merchant_tokens');
  const make = () =>
    create.mutate(
      { attributes: { name: t('snippet_key_name'), context: 'browser' } },
      { onSuccess: ({ attributes }) => onChange(attributes.token ?? '') },
    );
  return (
    <>
      <Group align="flex-end">
        <TextInput
          label={t('key_browser')}
          description={t('snippet_key_hint')}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
          flex="1 1 16rem"
          spellCheck={false}
        />
        {can('user.merchant_tokens.create') && (
          <Button variant="default" loading={create.isPending} onClick={make}>
            {t('snippet_make_key')}
          </Button>
        )}
      </Group>
      {create.error && <ProblemAlert error={create.error} />}
    </>
  );
}

import { Button, Group, Stack, Text } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Section } from '../../../parts/record/section.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import { useActionDialog } from '../../operator/use-action-dialog.ts';
import type { AccountDetail, ProcessorField, StoredSecret } from '../types.ts';
import { useProcessorKinds } from '../use-processors.ts';
import { SecretDialog } from './secret-dialog.tsx';

interface Props {
  readonly account: AccountDetail;
}

interface Asked {
  readonly field: ProcessorField;
  readonly kind: 'store' | 'delete';
}

/** Names of the secrets, never their values, with the time of their last change. */
export function AccountSecrets({ account }: Props) {
  const t = useTexts('processors');
  const { subject, isOpen, ask, close } = useActionDialog<Asked>();
  const kinds = useProcessorKinds().data?.data ?? [];
  const isRemoved = account.status === 'removed';
  const fields = kinds.find(({ name }) => name === account.processor)?.fields ?? [];
  return (
    <Section title={t('secrets')}>
      <Text size="sm" c="dimmed" mb="md">
        {t(isRemoved ? 'secrets_destroyed' : 'secrets_text')}
      </Text>
      <Stack component="ul" gap="md" m={0} p={0}>
        {fields
          .filter(({ secret }) => secret)
          .map((field) => (
            <SecretRow
              key={field.name}
              field={field}
              stored={account.secrets.find(({ name }) => name === field.name)}
              isRemoved={isRemoved}
              ask={(kind) => ask({ field, kind })}
            />
          ))}
      </Stack>
      {subject && (
        <SecretDialog
          key={`${subject.field.name} ${subject.kind}`}
          account={account}
          field={subject.field}
          isDelete={subject.kind === 'delete'}
          isOpen={isOpen}
          onClose={close}
        />
      )}
    </Section>
  );
}

interface RowProps {
  readonly field: ProcessorField;
  readonly stored: StoredSecret | undefined;
  readonly isRemoved: boolean;
  readonly ask: (kind: Asked['kind']) => void;
}

function SecretRow({ field, stored, isRemoved, ask }: RowProps) {
  const t = useTexts('processors');
  const { label, required } = field;
  return (
    <Group component="li" justify="space-between" gap="xs" display="flex">
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Text size="xs" c="dimmed">
          {t(!stored ? 'not_stored' : isRemoved ? 'destroyed' : 'stored')}
          {stored?.stored_at && !isRemoved && (
            <>
              {' · '}
              <Instant at={stored.stored_at} />
            </>
          )}
        </Text>
      </Stack>
      {!isRemoved && (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            aria-label={`${t(stored ? 'replace' : 'store')}: ${label}`}
            onClick={() => ask('store')}
          >
            {t(stored ? 'replace' : 'store')}
          </Button>
          {stored && !required && (
            <Button
              size="xs"
              variant="default"
              aria-label={`${t('delete')}: ${label}`}
              onClick={() => ask('delete')}
            >
              {t('delete')}
            </Button>
          )}
        </Group>
      )}
    </Group>
  );
}

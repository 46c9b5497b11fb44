import { Button, Group, Modal, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { problemsByField } from '../../../api/errors.ts';
import { useCreate, useList } from '../../../api/queries.ts';
import { useCan } from '../../../api/scope.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import type { MadeKey } from './key-shown.tsx';
import { chosenSlugs, type PermissionChoice } from './permission-choice.ts';
import { PermissionPicker } from './permission-picker.tsx';

const DAY_MS = 86_400_000;
const EXPIRY_DAYS = ['', '1', '7', '30', '90', '365'] as const;

interface Values {
  readonly name: string;
  readonly context: 'secret' | 'browser';
  readonly origins: string;
  readonly days: string;
  readonly choice: PermissionChoice;
  readonly ticked: readonly string[];
}

const EMPTY: Values = {
  name: '',
  context: 'secret',
  origins: '',
  days: '',
  choice: 'all',
  ticked: [],
};

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onMade: (made: MadeKey) => void;
}

/** Makes an API key. */
export function NewKey(props: Props) {
  const t = useTexts('developers');
  const common = useTexts('common');
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      size="lg"
      title={t('key_new')}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      {props.isOpen && <NewKeyForm {...props} />}
    </Modal>
  );
}

function NewKeyForm({ onClose, onMade }: Props) {
  const t = useTexts('developers');
  const common = useTexts('common');
  const form = useForm<Values>({ initialValues: EMPTY });
  const create = useCreate('merchant_tokens');
  const { draftOf, isKnown, listed } = useDraft();
  const problems = problemsByField(create.error, (path) => path in EMPTY);
  const { values } = form;
  const submit = form.onSubmit((typed) =>
    create.mutate(draftOf(typed), {
      onSuccess: ({ attributes: { token, name, context } }) => {
        onMade({ token: token ?? '', name, isPublishable: context === 'browser' });
        onClose();
      },
    }),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        {create.error && problems.others.length > 0 && (
          <ProblemAlert error={create.error} problems={problems.others} />
        )}
        <TextInput
          label={t('key_name')}
          description={t('key_name_hint')}
          required
          maxLength={100}
          {...form.getInputProps('name')}
          error={problems.fields.name}
        />
        <NativeSelect
          label={t('key_kind')}
          data={[
            { value: 'secret', label: t('key_secret') },
            { value: 'browser', label: t('key_browser') },
          ]}
          {...form.getInputProps('context')}
        />
        {values.context === 'browser' ? (
          <Textarea
            label={t('key_origins')}
            description={t('key_origins_hint')}
            autosize
            minRows={2}
            {...form.getInputProps('origins')}
            error={
              Object.entries(problems.fields).find(([path]) => path.startsWith('origins'))?.[1]
            }
          />
        ) : (
          <PermissionPicker
            choice={values.choice}
            onChoice={(choice) => form.setFieldValue('choice', choice)}
            ticked={values.ticked}
            onTicked={(ticked) => form.setFieldValue('ticked', ticked)}
          />
        )}
        <NativeSelect
          label={t('key_expires')}
          data={EXPIRY_DAYS.map((value) => ({
            value,
            label: value === '' ? t('never') : t.count('after_days', Number(value)),
          }))}
          {...form.getInputProps('days')}
        />
        {listed.error && (
          <ProblemAlert error={listed.error} onRetry={() => void listed.refetch()} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={create.isPending} disabled={!isKnown(values)}>
            {t('key_create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What is sent for what was typed. Permissions are named by the ids of their records. */
function useDraft() {
  const can = useCan();
  const listed = useList('permissions', { 'page[size]': '500' });
  const known = listed.data?.pages.flatMap(({ data }) => data) ?? [];
  /** A key of some permissions waits until their ids are there: without them it would have none. */
  const isKnown = ({ context, choice }: Values) =>
    context === 'browser' || choice === 'all' || listed.isSuccess;
  const draftOf = ({ name, context, origins, days, choice, ticked }: Values) => {
    const slugs = context === 'secret' ? chosenSlugs(choice, ticked, can) : undefined;
    const expiry = days && new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    const lines = origins.split(/\s+/).filter((line) => line !== '');
    const records = known.filter(({ attributes }) => slugs?.includes(attributes.slug ?? ''));
    return {
      attributes: {
        name,
        context,
        ...(expiry && { expiry }),
        ...(context === 'browser' && lines.length > 0 && { origins: lines }),
      },
      ...(slugs && {
        relationships: {
          permissions: { data: records.map(({ id }) => ({ type: 'permissions', id })) },
        },
      }),
    };
  };
  return { draftOf, isKnown, listed };
}

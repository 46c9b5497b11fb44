import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type FormProblems, problemsByField } from '../../../api/errors.ts';
import { useList } from '../../../api/list.ts';
import { useCreate } from '../../../api/queries.ts';
import { useCan } from '../../../api/scope.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { DialogFrame } from '../../../parts/form/dialog-frame.tsx';
import type { CreatedKey } from './key-shown.tsx';
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
  readonly onCreated: (createdKey: CreatedKey) => void;
}

export function NewKey(props: Props) {
  const t = useTexts('developers');
  return (
    <DialogFrame isOpen={props.isOpen} onClose={props.onClose} isWide title={t('key_new')}>
      <NewKeyForm {...props} />
    </DialogFrame>
  );
}

function NewKeyForm({ onClose, onCreated }: Props) {
  const { form, create, listed, problems, isKnown, submit } = useNewKey({ onClose, onCreated });
  return (
    <form onSubmit={submit}>
      <Stack>
        {create.error && problems.others.length > 0 && (
          <ProblemAlert error={create.error} problems={problems.others} />
        )}
        <NameAndKind form={form} problems={problems} />
        {form.values.context === 'browser' ? (
          <Origins form={form} problems={problems} />
        ) : (
          <Permissions form={form} />
        )}
        <Expiry form={form} />
        {listed.error && (
          <ProblemAlert error={listed.error} onRetry={() => void listed.refetch()} />
        )}
        <Buttons onClose={onClose} isPending={create.isPending} isKnown={isKnown(form.values)} />
      </Stack>
    </form>
  );
}

function useNewKey({ onClose, onCreated }: Pick<Props, 'onClose' | 'onCreated'>) {
  const form = useForm<Values>({ initialValues: EMPTY });
  const create = useCreate('merchant_tokens');
  const { draftOf, isKnown, listed } = useDraft();
  const problems = problemsByField(create.error, (path) => path in EMPTY);
  const submit = form.onSubmit((values) =>
    create.mutate(draftOf(values), {
      onSuccess: ({ attributes: { token, name, context } }) => {
        onCreated({ token: token ?? '', name, isPublishable: context === 'browser' });
        onClose();
      },
    }),
  );
  return { form, create, listed, problems, isKnown, submit };
}

interface PartProps {
  readonly form: UseFormReturnType<Values>;
  readonly problems: FormProblems;
}

function NameAndKind({ form, problems }: PartProps) {
  const t = useTexts('developers');
  return (
    <>
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
    </>
  );
}

function Origins({ form, problems }: PartProps) {
  const t = useTexts('developers');
  const problem = Object.entries(problems.fields).find(([path]) => path.startsWith('origins'));
  return (
    <Textarea
      label={t('key_origins')}
      description={t('key_origins_hint')}
      autosize
      minRows={2}
      {...form.getInputProps('origins')}
      error={problem?.[1]}
    />
  );
}

function Permissions({ form }: Pick<PartProps, 'form'>) {
  return (
    <PermissionPicker
      choice={form.values.choice}
      onChoice={(choice) => form.setFieldValue('choice', choice)}
      ticked={form.values.ticked}
      onTicked={(ticked) => form.setFieldValue('ticked', ticked)}
    />
  );
}

function Expiry({ form }: Pick<PartProps, 'form'>) {
  const t = useTexts('developers');
  return (
    <NativeSelect
      label={t('key_expires')}
      data={EXPIRY_DAYS.map((value) => ({
        value,
        label: value === '' ? t('never') : t.count('after_days', Number(value)),
      }))}
      {...form.getInputProps('days')}
    />
  );
}

interface ButtonProps {
  readonly onClose: () => void;
  readonly isPending: boolean;
  readonly isKnown: boolean;
}

function Buttons({ onClose, isPending, isKnown }: ButtonProps) {
  const t = useTexts('developers');
  const common = useTexts('common');
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        {common('cancel')}
      </Button>
      <Button type="submit" loading={isPending} disabled={!isKnown}>
        {t('key_create')}
      </Button>
    </Group>
  );
}

/** Builds the request from the form. Permissions are sent as record ids. */
function useDraft() {
  const can = useCan();
  const permissionList = useList('permissions', { 'page[size]': '500' });
  const permissionRecords = permissionList.data?.pages.flatMap(({ data }) => data) ?? [];
  /**
   * A key with chosen permissions is not created before their ids are loaded: without ids it would have no
   * permissions.
   */
  const isKnown = ({ context, choice }: Values) =>
    context === 'browser' || choice === 'all' || permissionList.isSuccess;
  const draftOf = ({ name, context, origins, days, choice, ticked }: Values) => {
    const slugs = context === 'secret' ? chosenSlugs(choice, ticked, can) : undefined;
    const expiry = days && new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    const lines = origins.split(/\s+/).filter((line) => line !== '');
    const records = permissionRecords.filter(({ attributes }) =>
      slugs?.includes(attributes.slug ?? ''),
    );
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
  return { draftOf, isKnown, listed: permissionList };
}

import { Alert, Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useCan } from '../../../api/scope.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useNotify } from '../../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { DialogFrame } from '../../../parts/form/dialog-frame.tsx';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import { MoreOptions } from '../../terminal/details/more-options.tsx';
import { AddressFields } from '../../terminal/payer/address-input.tsx';
import { SameEmail } from './same-email.tsx';
import { useCreateCustomer } from './use-create-customer.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Receives the id of the stored customer. */
  readonly onDone: (id: string) => void;
}

const EMAIL_MAX = 254;
const NAME_MAX = 200;
const NOTE_MAX = 1000;

/** Dialog for a new customer. */
export function NewCustomerDialog({ isOpen, onClose, onDone }: Props) {
  const t = useTexts('customers');
  const notify = useNotify();
  const finish = (id: string) => {
    notify(t('created'));
    onClose();
    onDone(id);
  };
  return (
    <DialogFrame isOpen={isOpen} onClose={onClose} isWide title={t('new_customer')}>
      <NewCustomerForm onClose={onClose} onDone={finish} />
    </DialogFrame>
  );
}

type Form = ReturnType<typeof useCreateCustomer>;

function NewCustomerForm({ onClose, onDone }: Omit<Props, 'isOpen'>) {
  const t = useTexts('customers');
  const common = useTexts('common');
  const form = useCreateCustomer(onDone);
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        {form.error && form.others.length > 0 && (
          <ProblemAlert error={form.error} problems={form.others} />
        )}
        {form.isStored && form.error && (
          <Alert color="yellow" variant="light">
            {t('address_missing')}
          </Alert>
        )}
        <Person form={form} />
        <Further form={form} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={form.isPending}>
            {t('create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Person({ form: { values, set, errors, isStored } }: { readonly form: Form }) {
  const t = useTexts('customers');
  return (
    <>
      <TextInput
        label={t('name')}
        maxLength={NAME_MAX}
        autoComplete="off"
        disabled={isStored}
        value={values.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        error={errors.name}
        data-autofocus
      />
      <TextInput
        label={t('email')}
        type="email"
        required
        maxLength={EMAIL_MAX}
        autoComplete="off"
        disabled={isStored}
        value={values.email}
        onChange={({ currentTarget }) => set({ email: currentTarget.value })}
        error={errors.email}
      />
      {!isStored && (
        <SameEmail email={values.email}>
          {({ id, attributes: { name, email } }) => (
            <ScopedLink to={recordPath('customers', id)} underline="always" c="inherit">
              {t('open_customer', { name: name || email })}
            </ScopedLink>
          )}
        </SameEmail>
      )}
      <TextInput
        label={t('phone')}
        type="tel"
        description={t('phone_hint')}
        autoComplete="off"
        disabled={isStored}
        value={values.phone}
        onChange={({ currentTarget }) => set({ phone: currentTarget.value })}
        error={errors.phone}
      />
    </>
  );
}

function Further({ form: { values, set, errors, isStored } }: { readonly form: Form }) {
  const t = useTexts('customers');
  const can = useCan();
  return (
    <MoreOptions>
      {can('consumer.consumer_addresses.create') && (
        <AddressFields values={values} set={set} errors={errors} legend={t('address')} isOptional />
      )}
      <Textarea
        label={t('note')}
        description={t('note_hint')}
        maxLength={NOTE_MAX}
        autosize
        minRows={2}
        disabled={isStored}
        value={values.note}
        onChange={({ currentTarget }) => set({ note: currentTarget.value })}
        error={errors.note}
      />
    </MoreOptions>
  );
}

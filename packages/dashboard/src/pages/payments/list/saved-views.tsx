import { Button, Menu, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import type { Parameters } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { DialogFrame } from '../../../parts/form/dialog-frame.tsx';
import { Icon } from '../../../parts/value/icon.tsx';
import { NAME_MAX, useSavedViews, VIEWS_MAX } from './use-saved-views.ts';

interface Props {
  readonly search: Parameters;
  readonly change: (changes: Parameters) => void;
}

/** Opens, saves and removes named views of the list. */
export function SavedViews({ search, change }: Props) {
  const t = useTexts('payments');
  const { views, current, save, remove } = useSavedViews(search);
  const [isSaving, { open, close }] = useDisclosure(false);
  const nothing = Object.fromEntries(Object.keys(search).map((key) => [key, '']));
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={12} />}>
            {current?.name ?? t('views')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.map((view) => (
            <Menu.Item
              key={view.name}
              onClick={() => change({ ...nothing, ...view.search })}
              {...(view === current && { leftSection: <Icon name="check" size={14} /> })}
            >
              {view.name}
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={open} disabled={views.length >= VIEWS_MAX}>
            {t('view_save')}
          </Menu.Item>
          {current && (
            <Menu.Item onClick={() => remove(current.name)}>
              {t('view_remove', { name: current.name })}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <DialogFrame isOpen={isSaving} onClose={close} title={t('view_save')}>
        <SaveForm
          onSave={(name) => {
            save(name);
            close();
          }}
        />
      </DialogFrame>
    </>
  );
}

function SaveForm({ onSave }: { readonly onSave: (name: string) => void }) {
  const t = useTexts('payments');
  const records = useTexts('records');
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) onSave(name.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('view_name')}
          description={t('view_hint')}
          value={name}
          maxLength={NAME_MAX}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          required
          data-autofocus
        />
        <Button type="submit">{records('save')}</Button>
      </Stack>
    </form>
  );
}

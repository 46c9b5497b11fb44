import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { FetchedRecord } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import { useCan } from '../../api/scope.ts';
import type { Resource } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EditDialog } from '../../parts/form/edit-dialog.tsx';
import { AttributeList } from '../../parts/record/attribute-list.tsx';
import { Section } from '../../parts/record/section.tsx';

export interface BusinessPartProps {
  readonly fetched: FetchedRecord<'merchants'>;
  readonly reload: () => void;
}

interface Props extends BusinessPartProps {
  readonly part: 'brand' | 'documents';
  /** Attributes of the merchant that the part shows and edits. */
  readonly names: readonly string[];
  readonly children?: ReactNode;
}

/** Section with a few attributes of the merchant, and a dialog that edits only these. */
export function BusinessPart({ fetched, reload, part, names, children }: Props) {
  const t = useTexts('business');
  const { fields } = useRegistry().merchants;
  const mayEdit = useCan()('user.merchants.update');
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Section
      title={t(part)}
      actions={
        mayEdit && (
          <Button size="xs" variant="default" onClick={open}>
            {t(`${part}_edit`)}
          </Button>
        )
      }
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t(`${part}_hint`)}
        </Text>
        <div>
          <AttributeList
            record={fetched.record as Resource}
            fields={fields}
            names={names}
            withoutId
          />
        </div>
        {children}
      </Stack>
      <EditDialog
        type="merchants"
        only={names}
        title={t(`${part}_edit`)}
        fetched={fetched}
        isOpen={isOpen}
        onClose={close}
        reload={reload}
      />
    </Section>
  );
}

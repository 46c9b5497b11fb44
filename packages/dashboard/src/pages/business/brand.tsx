import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import type { FetchedRecord } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import { useCan } from '../../api/scope.ts';
import type { Resource } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EditDialog } from '../../parts/form/edit-dialog.tsx';
import { useAddressSearch } from '../../parts/page/search.ts';
import { AttributeList } from '../../parts/record/attribute-list.tsx';
import { Section } from '../../parts/record/section.tsx';
import { Logo } from './logo.tsx';

/** Attributes of the brand. */
export const BRAND = ['brand_name', 'brand_color', 'logo_url'];

interface Props {
  readonly fetched: FetchedRecord<'merchants'>;
  readonly reload: () => void;
}

/** Name, colour and logo that customers see. The address `?part=brand` scrolls here. */
export function BrandSettings({ fetched, reload }: Props) {
  const t = useTexts('business');
  const { fields } = useRegistry().merchants;
  const mayEdit = useCan()('user.merchants.update');
  const [isOpen, { open, close }] = useDisclosure(false);
  const [{ part }] = useAddressSearch();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (part === 'brand') place.current?.scrollIntoView();
  }, [part]);
  return (
    <div ref={place} style={{ scrollMarginTop: '6rem' }}>
      <Section
        title={t('brand')}
        actions={
          mayEdit && (
            <Button size="xs" variant="default" onClick={open}>
              {t('brand_edit')}
            </Button>
          )
        }
      >
        <Stack>
          <Text size="sm" c="dimmed">
            {t('brand_hint')}
          </Text>
          <div>
            <AttributeList
              record={fetched.record as Resource}
              fields={fields}
              names={BRAND}
              withoutId
            />
          </div>
          <Logo mayEdit={mayEdit} />
        </Stack>
        <EditDialog
          type="merchants"
          only={BRAND}
          title={t('brand_edit')}
          fetched={fetched}
          isOpen={isOpen}
          onClose={close}
          reload={reload}
        />
      </Section>
    </div>
  );
}

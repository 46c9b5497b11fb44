import { useEffect, useRef } from 'react';
import { useCan } from '../../api/scope.ts';
import { useAddressSearch } from '../../parts/page/search.ts';
import { BusinessPart, type BusinessPartProps } from './business-part.tsx';
import { Logo } from './logo.tsx';

/** Attributes of the brand. */
export const BRAND = ['brand_name', 'brand_color', 'logo_url'];

/** Name, colour and logo that customers see. The address `?part=brand` scrolls here. */
export function BrandSettings(props: BusinessPartProps) {
  const mayEdit = useCan()('user.merchants.update');
  const [{ part }] = useAddressSearch();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (part === 'brand') place.current?.scrollIntoView();
  }, [part]);
  return (
    <div ref={place} style={{ scrollMarginTop: '6rem' }}>
      <BusinessPart {...props} part="brand" names={BRAND}>
        <Logo mayEdit={mayEdit} />
      </BusinessPart>
    </div>
  );
}

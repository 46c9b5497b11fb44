import './mantine.css';
import './app.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense } from 'react';
import { LanguageProvider } from '../i18n/language-provider.tsx';
import { NoticeProvider } from '../parts/feedback/notice-provider.tsx';
import { queries } from './query-client.ts';
import { router } from './router.tsx';
import { readableColors, theme } from './theme.ts';

/** The application. `nonce` permits its style sheets under the page's content security policy. */
export function App({ nonce }: { readonly nonce: string }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readableColors}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <LanguageProvider>
        <QueryClientProvider client={queries}>
          <Suspense fallback={null}>
            <NoticeProvider>
              <RouterProvider router={router} />
            </NoticeProvider>
          </Suspense>
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  );
}

import type { Config } from '@react-router/dev/config'

/** A single-page app with prerendered public pages (docs/product.md 3.2). */
export default {
  appDirectory: 'app',
  buildDirectory: process.env.BUILD_DIRECTORY ?? 'build',
  ssr: false,
  prerender: [
    '/',
    '/login',
    '/register',
    '/forgot',
    '/reset',
    '/confirm',
    '/freeze',
    '/pool',
    '/verify',
    '/dashboard',
    '/security',
    '/admin',
  ],
} satisfies Config

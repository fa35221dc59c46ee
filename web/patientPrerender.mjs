// React Router gives each page that it prerenders ten seconds, without a setting. On a busy machine
// that is too short, so `build.mjs` bounds a build by its progress instead.
AbortSignal.timeout = () => new AbortController().signal

import fc from 'fast-check'

// A report shows an error's message without its cause, so a property's message includes it.
fc.configureGlobal({ includeErrorInReport: true })

import type { Test } from 'tap'
import * as testing from '../../presets/testing/index.js'

export type { Booted, BootOptions, HttpAnswer, ToolAnswer } from '../../presets/testing/index.js'

/**
 * Starts virtual printers and a kernel over them, and ends both with the test. Its data folder goes after it: one of
 * the test's own would be removed before it has ended.
 */
export async function boot (t: Test, options: testing.BootOptions = {}): Promise<testing.Booted> {
  const booted = await testing.boot(options)
  t.teardown(booted.close)
  return booted
}

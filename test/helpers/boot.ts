import type { Test } from 'tap'
import * as testing from '../../presets/testing/index.js'

export type { Booted, BootOptions, HttpAnswer, ToolAnswer } from '../../presets/testing/index.js'

/** Starts virtual printers and a kernel over them, and ends both with the test. */
export async function boot (t: Test, options: testing.BootOptions = {}): Promise<testing.Booted> {
  const { config = {} } = options
  const booted = await testing.boot({ ...options, config: { ...config, dataDir: config.dataDir ?? t.testdir() } })
  t.teardown(booted.close)
  return booted
}

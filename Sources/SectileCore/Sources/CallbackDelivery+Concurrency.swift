extension CallbackDelivery {
  /// Callbacks are made on the main actor.
  public static let mainActor = CallbackDelivery { job in
    Task.detached { @MainActor in job() }
  }

  /// Callbacks are made on an actor.
  ///
  /// The actor is held weakly, so that it may own the source or the observation. Once it is gone,
  /// jobs run on the global executor, and the source's contents keep advancing.
  public static func actor(_ actor: some Actor) -> CallbackDelivery {
    let reference = WeakActor(actor)
    return CallbackDelivery { job in
      Task.detached {
        if let actor = reference.actor {
          await perform(job, on: actor)
        } else {
          job()
        }
      }
    }
  }

  /// Callbacks are made on a serial executor, which is kept alive as long as the delivery.
  public static func executor(_ executor: any SerialExecutor) -> CallbackDelivery {
    let runner = ExecutorRunner(executor)
    return CallbackDelivery { job in
      Task.detached { await runner.perform(job) }
    }
  }

  /// Callbacks are made on a task executor, which is kept alive as long as the delivery.
  public static func taskExecutor(_ executor: any TaskExecutor) -> CallbackDelivery {
    CallbackDelivery { job in
      Task.detached(executorPreference: executor) { job() }
    }
  }

  private static func perform(
    _ job: @Sendable () -> Void, on actor: isolated any Actor
  ) async {
    job()
  }
}

/// An actor that lives on somebody else's executor.
private actor ExecutorRunner {
  private nonisolated let executor: any SerialExecutor

  init(_ executor: any SerialExecutor) {
    self.executor = executor
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  func perform(_ job: @Sendable () -> Void) {
    job()
  }
}

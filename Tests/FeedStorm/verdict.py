"""What has to hold of what clients report, and of what the network has seen of them."""

from actors import Failure

# What a client in Swift may be told when another release stands behind the address.
OTHER_RELEASE = {"otherSource", "otherRequest"}


def fail_for(findings):
    if findings:
        raise Failure("\n  ".join([f"{len(findings)} findings", *findings[:20]]))


def judge_live(reports, limit):
    fail_for([f"{each['client']} said live for {each['worst']:.1f} s while it was not" for each in reports
              if each["worst"] > limit])


def judge(reports, proxy, options, releases):
    """Raises `Failure` with all findings but those about contents."""
    judge_live(reports, options.limit)
    wrong = [f"{each['client']} ended: {each['error']}" for each in reports
             if each["client"].startswith("python") and each["error"]]
    wrong += [f"{each['client']} was told what does not fit" for each in reports if each.get("misfits", 0)]
    for each in reports:
        if not each["client"].startswith("swift"):
            continue
        if not set(each["told"]) <= OTHER_RELEASE or len(each["told"]) > releases - 1:
            wrong.append(f"{each['client']} ended with {each['told']}")
        elif len(each["told"]) < releases - 1:
            wrong.append(f"{each['client']} was not told of another release")
    # Whoever begins anew when it was told of another release does so at once.
    allowed = {each["client"]: len(each["told"]) for each in reports}
    fail_for(wrong + proxy.too_fast(options.retry, options.longest_wait, options.heartbeat, allowed))


def show(storm, reports):
    streams, writer = storm.proxy.streams, storm.writer
    kinds = sorted({group.kind for group in storm.groups})
    print(f"writes       {writer.written} acknowledged, {writer.failed} failed; {writer.probe} probes")
    print(f"kills        {storm.kills} of the service")
    print("connections  " + ", ".join(f"{sum(each.client.startswith(kind) for each in streams)} {kind}" for kind in kinds))
    print("faults       " + ", ".join(f"{count} {kind}" for kind, count in sorted(storm.proxy.counts.items())))
    resets = {}
    for each in reports:
        for reason, count in each.get("resets", {}).items():
            resets[reason] = resets.get(reason, 0) + count
    print("resets       " + ", ".join(f"{count} {reason}" for reason, count in sorted(resets.items())))
    worst = max(reports, key=lambda each: each["worst"])
    print(f"live         for {worst['worst']:.1f} s at most without a probe that was written ({worst['client']}); "
          f"the limit is {storm.options.limit:g} s", flush=True)

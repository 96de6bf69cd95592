"""Small conversations as rows, made into the messages of a chat log."""


def messages(talk):
    """The rows as messages a provider would be sent."""
    found = []
    for number, row in enumerate(talk):
        if "user" in row:
            found.append({"role": "user", "content": row["user"]})
        elif "assistant" in row:
            found.append(
                {"role": "assistant", "content": [{"type": "text", "text": row["assistant"]}]}
            )
        elif "think" in row:
            part = {"type": "thinking", "thinking": row["think"], "signature": "s"}
            found.append({"role": "assistant", "content": [part]})
        else:
            call = {
                "type": "tool_use",
                "id": f"c{number}",
                "name": row["call"],
                "input": row["with"],
            }
            found.append({"role": "assistant", "content": [call]})
            if "result" in row:
                answer = {
                    "type": "tool_result",
                    "tool_use_id": f"c{number}",
                    "content": row["result"],
                }
                found.append(
                    {"role": "user", "content": [{**answer, "is_error": row.get("error", False)}]}
                )
    return found

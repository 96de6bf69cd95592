"""Verbs of rules: which may stand for one another, and the words that take a rule back.

Laws: tables alone, by stems as `tokens` has them; a verb of no class stands for itself.
"""


# ruff: noqa: SIM905 - a table of words reads best as text

import re
from typing import Final

__all__ = ["CLASSES", "DESTROY", "EXCEPTS", "LIFTED", "MODIFY", "PRESERVES", "USE"]

#: Verbs that may stand for one another, by their stems.
CLASSES: Final = tuple(
    frozenset(words.split())
    for words in (
        (
            "touch chang modif edit alter rewrit rewritten rewrot overwritten overwrot refactor updat overwrit amend renam patch tamper mutat adjust writ mov"
            " 修改 改动 更改 改变 编辑 改写 触碰 碰"
        ),
        "delet deletion remov remove removal dropp drop eras destroy wip truncat discard purg clear gon destro unlink rm gelöscht entfernt 删除 移除 清除 删掉 清空 丢弃",
        "use import depend employ rely install add introduc pull bring includ adopt utilis utiliz emplo 使用 引入 安装 添加 采用 依赖",
        "run execut start launch invok trigger perform call 运行 执行 启动 调用",
        "push commit merg publish deploy deplo releas ship 推送 提交 合并 发布 部署",
        "log print shar expos leak reveal stor send upload 泄露 打印 记录 上传 发送",
        "creat add introduc generat writ mak 创建 新建 生成 添加 新增",
        "reformat format prettif restyl 格式化 重排",
    )
)
MODIFY, DESTROY, USE = CLASSES[0], CLASSES[1], CLASSES[2] | CLASSES[6]
PRESERVES: Final = frozenset("keep preserv retain protect spar 保留 保持".split())
LIFTED: Final = re.compile(
    r"\b(?:lifted|withdrawn|withdrew|waived|revoked|rescinded|repealed|relaxed|overruled|overridden|superseded|dropped|cancell?ed"
    r"|obsolete|void|outdated|moot|ignor\w+|disregard\w*|violat\w+|bypass\w*|wrong|false|untrue|not true"
    r"|(?:no longer|not|doesn['\u2019]t|don['\u2019]t) (?:appl\w+|hold|valid|in force|binding|matter|necessary|required|relevant)"
    r"|used to be|at first|initially|previously|formerly|until now|any ?more)\b|取消|解除|撤销|撤回|作废|无效|不再(?:适用|有效|需要|禁止)|忽略|无视",
    re.IGNORECASE,
)
EXCEPTS: Final = re.compile(
    r"\b(?:unless|except (?:when|if|where)|hypothetical\w*|jok(?:e|ing))\b|除非", re.IGNORECASE
)
